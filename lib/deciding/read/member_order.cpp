#include "read/member_order.h"

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/arguments_by_name.h"

namespace fxcut {
namespace {

struct Ordered {
  std::shared_ptr<const Arguments> arguments;
  std::vector<std::uint32_t> inputs;  // as in ArgumentsByName
};

using OrderedArguments = std::unordered_map<std::shared_ptr<const Arguments>, Ordered>;  // nodes share them

Ordered ordered(const Arguments& arguments) {
  ArgumentsByName named = by_name(arguments);
  return {std::make_shared<const Arguments>(std::move(named.arguments)), std::move(named.inputs)};
}

void order(Graph& graph, OrderedArguments& known) {
  for (Node& node : graph.nodes) {
    if (!node.arguments || are_by_name(*node.arguments)) continue;
    const auto [found, is_new] = known.try_emplace(node.arguments);
    if (is_new) found->second = ordered(*node.arguments);
    node.arguments = found->second.arguments;
    node.inputs = inputs_at(found->second.inputs, node.inputs);
  }
}

void order(Subgraphs& subgraphs, OrderedArguments& known) {
  for (NamedSubgraph& named : subgraphs) {
    order(named.subgraph.graph, known);
    order(named.subgraph.subgraphs, known);
  }
}

}  // namespace

void MemberOrder::add(std::size_t member) {
  before_[member] |= seen_;
  seen_ |= static_cast<std::uint8_t>(1U << member);
}

bool MemberOrder::is_kept() const {
  for (std::size_t a = 0; a < kMembers; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if ((before_[a] >> b & 1U) != 0 && (before_[b] >> a & 1U) != 0) return false;
    }
  }
  return true;
}

void order_by_name(Graph& graph, Subgraphs& subgraphs) {
  OrderedArguments known;
  order(graph, known);
  order(subgraphs, known);
}

}  // namespace fxcut
