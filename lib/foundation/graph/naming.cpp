#include "graph/naming.h"

#include <charconv>

namespace fxcut {
namespace {

struct Numbered {
  std::string base;
  std::optional<std::uint64_t> number;
};

// "add_12" is add with number 12; numbers of too many digits are part of the name.
Numbered split_number(std::string_view name) {
  constexpr std::size_t kMaxDigits = 18;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size() || digits < 2 || name[digits - 1] != '_' || name.size() - digits > kMaxDigits) {
    return {std::string(name), std::nullopt};
  }
  std::uint64_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {std::string(name.substr(0, digits - 1)), number};
}

}  // namespace

Namespace::Namespace(const Graph& graph, Release release) : release_(release) {
  for (const Node& node : graph.nodes) create(node.name);
}

Namespace::Namespace(const Graph& source, const std::vector<NodeId>& copied, Release release) : release_(release) {
  for (const NodeId id : copied) create(source[id].name);
}

// The number after which the numbers of a taken name start; `own`: the name's own number if not 0. Releases look it up by
// different names.
std::uint64_t Namespace::last_number(const std::string& name, const std::string& base, std::uint64_t own) const {
  if (own > 0 && !release_.has(Change::NamesCountFromZero)) return own;
  const bool by_whole_name = release_.has(Change::NamesCountFromZero) && !release_.has(Change::NamesCountFromBase);
  const auto found = last_number_.find(by_whole_name ? name : base);
  return found == last_number_.end() ? 0 : found->second;
}

std::string Namespace::create(std::string_view candidate) {
  std::string name(candidate);
  auto [base, number] = split_number(name);
  const bool keeps_number = number && !used_.contains(name) && (*number > 0 || release_.has(Change::NamesCountFromZero));
  std::uint64_t count = keeps_number ? *number : last_number(name, base, number.value_or(0));
  while (used_.contains(name)) name = base + "_" + std::to_string(++count);
  used_.insert(name);
  last_number_[base] = count;
  return name;
}

}  // namespace fxcut
