#include "read/member_order.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

// Arguments in the order of names. `inputs`: for each reference to a node, in that order, its input in the old one.
struct Ordered {
  std::shared_ptr<const Arguments> arguments;
  std::vector<std::uint32_t> inputs;
};

class Ordering {
 public:
  void order(Graph& graph) {
    for (Node& node : graph.nodes) {
      if (node.arguments) order(node);
    }
  }

 private:
  void order(Node& node) {
    const auto [known, is_new] = known_.try_emplace(node.arguments);
    if (is_new) known->second = ordered(*node.arguments);
    node.arguments = known->second.arguments;
    std::vector<NodeId> inputs;
    inputs.reserve(node.inputs.size());
    for (const std::uint32_t input : known->second.inputs) inputs.push_back(node.inputs[input]);
    node.inputs = std::move(inputs);
  }

  static Ordered ordered(const Arguments& given) {
    Ordered result;
    auto arguments = std::make_shared<Arguments>(given);
    std::ranges::stable_sort(arguments->keyword, {}, [](const auto& keyword) -> const std::string& { return keyword.first; });
    for (Argument& argument : arguments->positional) order(argument, result.inputs);
    for (auto& [name, argument] : arguments->keyword) order(argument, result.inputs);
    result.arguments = std::move(arguments);
    return result;
  }

  static void order(Argument& argument, std::vector<std::uint32_t>& inputs) {
    if (argument.kind == Argument::Kind::Node) {
      inputs.push_back(std::exchange(argument.index, static_cast<std::uint32_t>(inputs.size())));
    }
    if (argument.kind == Argument::Kind::Dict) order_members(argument);
    for (Argument& item : argument.items) order(item, inputs);
  }

  static void order_members(Argument& dictionary) {
    std::vector<std::size_t> places(dictionary.keys.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {}, [&](std::size_t place) -> const std::string& { return dictionary.keys[place]; });
    Argument sorted = dictionary;
    for (std::size_t i = 0; i < places.size(); ++i) {
      sorted.keys[i] = dictionary.keys[places[i]];
      sorted.items[i] = dictionary.items[places[i]];
    }
    dictionary = std::move(sorted);
  }

  std::unordered_map<std::shared_ptr<const Arguments>, Ordered> known_;  // nodes share them
};

void order(Subgraphs& subgraphs, Ordering& ordering) {
  for (NamedSubgraph& named : subgraphs) {
    ordering.order(named.subgraph.graph);
    order(named.subgraph.subgraphs, ordering);
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
  Ordering ordering;
  ordering.order(graph);
  order(subgraphs, ordering);
}

}  // namespace fxcut
