#include "compare/match_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "compare/match_values.h"
#include "graph/fingerprint.h"
#include "graph/hash128.h"
#include "report/report.h"

namespace fxcut {
namespace {

using Values = std::vector<ComparedValue>;

// For values with very many users, such as a mask, limits the search for the partner of each user.
constexpr std::size_t kMaxUsersSearched = 64;

// For each node: the hash of its expression; empty for inputs.
std::vector<std::string> expressions(const Graph& graph, const Values& values) {
  std::vector<Hash128> hashes(graph.size());
  std::vector<std::string> keys(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    add_call(hashes[i], node);
    hashes[i].add(values[i].extent);
    for (const NodeId input : node.inputs) {
      hashes[i].add(hashes[index_of(input)].low());
      hashes[i].add(hashes[index_of(input)].high());
    }
    if (node.is_call()) keys[i] = hashes[i].text();
  }
  return keys;
}

class NodeMatcher {
 public:
  NodeMatcher(const Graph& before, const Graph& after, const Values& values_before, const Values& values_after)
      : before_(before), after_(after), values_before_(values_before), values_after_(values_after),
        matching_(before.size(), after.size()) {}

  Matching run() {
    pair_expressions();
    pair_if_open(before_.size() - 1, after_.size() - 1);  // the outputs
    pair_places();
    pair_neighbours();
    match_values(values_before_, values_after_, matching_);
    return std::move(matching_);
  }

 private:
  // Equal expressions at the same place: with a fourth layer in the model, the last norm's former expression is a part of it.
  void pair_expressions() {
    const auto of_before = expressions(before_, values_before_), of_after = expressions(after_, values_after_);
    const auto with_place = [](const std::string& expression, const ComparedValue& value) {
      return expression.empty() ? "" : expression + show_place(value.provenance);
    };
    matching_.pair_equal([&](std::size_t i) { return with_place(of_before[i], values_before_[i]); },
                         [&](std::size_t i) { return with_place(of_after[i], values_after_[i]); });
  }

  // For each module: layers share their source lines, and the backward has them in another order.
  void pair_places() {
    const auto key = [](const Node& node, const ComparedValue& value) {
      const Provenance& p = value.provenance;
      if (!node.is_call() || p.module.empty()) return std::string();
      return fmt::format("{}\x1f{}\x1f{}\x1f{}", value.op, value.extent, p.module, p.source_line);
    };
    matching_.pair_equal([&](std::size_t i) { return key(before_.nodes[i], values_before_[i]); },
                         [&](std::size_t i) { return key(after_.nodes[i], values_after_[i]); });
  }

  // Inputs of pairs, from the outputs up; users of pairs, from the inputs down; and their inputs.
  void pair_neighbours() {
    pair_inputs();
    const Users users_before(before_), users_after(after_);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const std::size_t partner = matching_.after_of(i);
      if (partner == Matching::kNone) continue;
      for (const NodeId user : users_before.of(i)) {
        if (matching_.after_of(index_of(user)) != Matching::kNone) continue;
        const auto others = users_after.of(partner);
        for (const NodeId other : others.first(std::min(others.size(), kMaxUsersSearched))) {
          if (pair_if_alike(index_of(user), index_of(other))) break;
        }
      }
    }
    pair_inputs();
  }

  void pair_inputs() {
    for (std::size_t i = before_.size(); i-- > 0;) {
      const std::size_t partner = matching_.after_of(i);
      if (partner == Matching::kNone) continue;
      const auto &inputs = before_.nodes[i].inputs, &others = after_.nodes[partner].inputs;
      for (std::size_t k = 0; k < std::min(inputs.size(), others.size()); ++k) {
        pair_if_alike(index_of(inputs[k]), index_of(others[k]));
      }
    }
  }

  bool pair_if_alike(std::size_t before, std::size_t after) {
    const ComparedValue &a = values_before_[before], &b = values_after_[after];
    return a.op == b.op && a.extent == b.extent && pair_if_open(before, after);
  }

  bool pair_if_open(std::size_t before, std::size_t after) {
    if (matching_.after_of(before) != Matching::kNone || matching_.before_of(after) != Matching::kNone) return false;
    matching_.pair(before, after);
    return true;
  }

  const Graph &before_, &after_;
  const Values &values_before_, &values_after_;
  Matching matching_;
};

}  // namespace

Matching match_nodes(const Graph& before, const Graph& after, const Values& values_before, const Values& values_after) {
  return NodeMatcher(before, after, values_before, values_after).run();
}

}  // namespace fxcut
