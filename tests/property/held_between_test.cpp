// The least that a backward in two parts can hold, against every way to run cheap calls in the other part or in both.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "classify/purity.h"
#include "graph_text.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "split/choose_held.h"
#include "split/parameter_gradients.h"
#include "split/split_backward.h"
#include "verify/join_backward.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxCheapCalls = 12;  // each is tried in both ways

const DeviceProfile& device() { return device_profiles().front(); }

JointGraph backward_of(const JointGraph& joint, const Partition& made) {
  JointGraph backward;
  backward.graph = made.graphs.backward;
  backward.subgraphs = made.subgraphs;
  backward.torch = joint.torch;
  return backward;
}

Verification verify_parts(const JointGraph& joint, const Partition& made, const BackwardParts& parts) {
  JointGraph forward = backward_of(joint, made), input = forward, weight = forward;
  forward.graph = made.graphs.forward;
  forward.num_forward_outputs = made.decision->joint.num_forward_outputs;
  input.graph = parts.input;
  weight.graph = parts.weight;
  input.subgraphs = weight.subgraphs = parts.subgraphs;
  std::vector<Mismatch> mismatches;
  Verification found = verify(joint, forward, join_backward(joint, input, weight, mismatches));
  found.mismatches.insert(found.mismatches.end(), mismatches.begin(), mismatches.end());
  return found;
}

bool is_cheap(const Node& node) {
  if (!node.is_call() || is_impure(node) || is_random(node)) return false;
  if (node.calls("operator.getitem")) return true;
  return node.callee->is_overload() && (node.callee->is(Operator::Fusible) || node.callee->is(Operator::View));
}

// Tries each set of cheap calls: those of the first part that run again, those of the second that run earlier.
class AllWays {
 public:
  AllWays(const JointGraph& joint, const JointGraph& backward, const BackwardParts& as_needed,
          const std::vector<bool>& of_weights)
      : graph_(backward.graph), storages_(held_storage_bytes(joint.graph, backward.graph)), is_first_(graph_.size()) {
    const std::vector<OutputLeaf> leaves = output_leaves(graph_);
    std::set<std::string_view> first;
    for (const Node& node : as_needed.input.nodes) first.insert(node.name);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].node && of_weights[i]) returned_.push_back(*leaves[i].node);
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      is_first_[i] = first.contains(graph_.nodes[i].name);
      if (is_cheap(graph_.nodes[i])) cheap_.push_back(node_id(i));
    }
  }

  std::size_t cheap() const { return cheap_.size(); }

  std::int64_t least_bytes() const {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t ways = 0; ways < std::size_t{1} << cheap_.size(); ++ways) {
      if (const auto bytes = bytes_of(ways)) least = std::min(least, *bytes);
    }
    return least;
  }

 private:
  // Calls whose bit is set run again if they are of the first part, earlier otherwise; nullopt if that is impossible.
  std::optional<std::int64_t> bytes_of(std::size_t ways) const {
    std::vector<bool> computed(graph_.size()), needed(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) computed[i] = graph_.nodes[i].is_call() && !is_first_[i];
    for (std::size_t bit = 0; bit < cheap_.size(); ++bit) {
      if ((ways >> bit & 1) != 0) computed[index_of(cheap_[bit])] = is_first_[index_of(cheap_[bit])];
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {  // what runs earlier needs its inputs earlier
      if (is_first_[i] || computed[i] || !graph_.nodes[i].is_call()) continue;
      for (const NodeId input : graph_.nodes[i].inputs) {
        if (!is_first_[index_of(input)] && computed[index_of(input)]) return std::nullopt;
      }
    }
    for (const NodeId id : returned_) needed[index_of(id)] = true;
    std::vector<NodeId> held;
    for (std::size_t i = graph_.size(); i-- > 0;) {
      if (!needed[i]) continue;
      const Node& node = graph_.nodes[i];
      if (!computed[i] && node.is_call() && !node.has_tensor()) return std::nullopt;
      if (!computed[i]) held.push_back(node_id(i));
      if (!computed[i]) continue;
      for (const NodeId input : node.inputs) needed[index_of(input)] = true;
    }
    return bytes_not_static(graph_, storages_, held);
  }

  const Graph& graph_;
  const StorageBytes storages_;
  std::vector<bool> is_first_;
  std::vector<NodeId> cheap_, returned_;
};

TEST(HeldBetween, IsTheLeastOfAllWays) {
  std::size_t tried = 0, less = 0;
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    const JointGraph joint = joint_graph(random_joint_graph(seed, {3, 6, 9}));
    try {
      const JointGraph backward = backward_of(joint, partition(joint, {}));
      std::vector<bool> of_weights(output_leaves(backward.graph).size());
      for (std::size_t i = 0; i < of_weights.size(); ++i) of_weights[i] = (seed >> (i % 5) & 1) != 0;
      const auto as_needed = split_backward(backward, of_weights);
      if (!as_needed) continue;
      const AllWays ways(joint, backward, *as_needed, of_weights);
      if (ways.cheap() > kMaxCheapCalls) continue;
      const std::vector<NodeId> chosen = choose_held(joint, backward, of_weights, device());
      const StorageBytes storages = held_storage_bytes(joint.graph, backward.graph);
      const std::int64_t bytes = bytes_not_static(backward.graph, storages, chosen.empty() ? as_needed->held : chosen);
      EXPECT_EQ(bytes, ways.least_bytes());
      ++tried;
      if (!chosen.empty()) ++less;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
  }
  EXPECT_GT(tried, 100U);
  EXPECT_GT(less, 20U);
}

TEST(HeldBetween, PartsThatHoldTheLeastComputeTheSame) {
  std::size_t less = 0;
  for_each_partition([&](const JointGraph& joint, const Partition& made, std::uint32_t) {
    const JointGraph backward = backward_of(joint, made);
    const std::vector<bool> of_weights = find_parameter_gradients(made.decision->joint);
    if (of_weights.size() != output_leaves(backward.graph).size()) return;
    const std::vector<NodeId> chosen = choose_held(joint, backward, of_weights, device());
    if (chosen.empty()) return;
    ++less;
    const Verification as_needed = verify_parts(joint, made, split_backward(backward, of_weights).value());
    const Verification least = verify_parts(joint, made, split_backward(backward, of_weights, chosen).value());
    EXPECT_TRUE(!as_needed.mismatches.empty() || least.mismatches.empty()) << verification_text(least);
  });
  EXPECT_GT(less, 20U);
}

}  // namespace
}  // namespace fxcut
