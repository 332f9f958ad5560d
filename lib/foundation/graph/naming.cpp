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
  constexpr std::size_t kMostDigits = 18;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size() || digits < 2 || name[digits - 1] != '_' || name.size() - digits > kMostDigits) {
    return {std::string(name), std::nullopt};
  }
  std::uint64_t number = 0;
  std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return {std::string(name.substr(0, digits - 1)), number};
}

}  // namespace

Namespace::Namespace(const Graph& graph) {
  for (const Node& node : graph.nodes) create(node.name);
}

Namespace::Namespace(const Graph& source, const std::vector<NodeId>& copied) {
  for (const NodeId id : copied) create(source[id].name);
}

std::string Namespace::create(std::string_view candidate) {
  std::string name(candidate);
  auto [base, number] = split_number(name);
  std::uint64_t count = number && !used_.contains(name) ? *number : last_number_[base];
  while (used_.contains(name)) name = base + "_" + std::to_string(++count);
  used_.insert(name);
  last_number_[base] = count;
  return name;
}

}  // namespace fxcut
