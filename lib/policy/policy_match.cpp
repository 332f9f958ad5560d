#include "policy/policy_match.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {
namespace {

bool has_name(const Pattern& wanted, const ValueNames& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return wanted.matches(name); });
}

bool holds_but_for_every(const Node& node, const ValueNames& names, const PolicyMatch& match) {
  if (match.name && !has_name(*match.name, names)) return false;
  if (match.op && !(node.is_call() && match.op->matches(node.callee->target))) return false;
  if (match.module && !(node.provenance && match.module->matches_path(node.provenance->module))) return false;
  if (match.ac_graph_id && node.meta.ac_graph_id != match.ac_graph_id) return false;
  if (match.dtype && !(node.has_tensor() && node.value->tensor.dtype->name == *match.dtype)) return false;
  if (!match.min_bytes && !match.max_bytes) return true;
  if (!node.value) return false;
  const std::int64_t bytes = tensor_bytes(*node.value);
  return (!match.min_bytes || bytes >= *match.min_bytes) && (!match.max_bytes || bytes <= *match.max_bytes);
}

}  // namespace

Selection select(const Graph& graph, const PolicySubjects& subjects, const PolicyMatch& match) {
  Selection selection{std::vector<bool>(graph.size(), false)};
  const auto every = static_cast<std::size_t>(match.every);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!subjects.is_subject[i] || !holds_but_for_every(graph.nodes[i], subjects.names[i], match)) continue;
    selection.selected[i] = ++selection.but_for_every % every == 0;
  }
  selection.count = selection.but_for_every / every;
  return selection;
}

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
