#include "policy/policy_match.h"

#include <fmt/format.h>

namespace fxcut {

std::string describe(const PolicyMatch& match) {
  std::vector<std::string> parts;
  if (match.name) parts.push_back("name " + match.name->text());
  if (match.op) parts.push_back("op " + match.op->text());
  if (match.module) parts.push_back("module " + match.module->text());
  if (match.dtype) parts.push_back("dtype " + *match.dtype);
  if (match.min_bytes) parts.push_back(fmt::format("at least {} bytes", *match.min_bytes));
  if (match.max_bytes) parts.push_back(fmt::format("at most {} bytes", *match.max_bytes));
  if (match.ac_graph_id) parts.push_back(fmt::format("region {}", *match.ac_graph_id));
  if (match.every != 1) parts.push_back(fmt::format("every {}", match.every));
  return parts.empty() ? "everything" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace fxcut
