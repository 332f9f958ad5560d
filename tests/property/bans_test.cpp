// The two heuristics that PyTorch runs by exploring the graph anew for each node, and cost/bans.cpp in one pass,
// against such an exploration.
#include "cost/bans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <tuple>

#include "cost/fusibility.h"
#include "random_joint_graph.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kBannedGraphs = 400;
constexpr BanOptions kNothingButFixedBans = {.used_far_apart = false,
                                             .long_fusible_chains = false,
                                             .materialized_in_backward = false,
                                             .not_in_allowlist = false,
                                             .reduction = false};

class Example : public AnalysedGraph {
 public:
  explicit Example(std::uint32_t seed)
      : AnalysedGraph(random_joint_graph(seed, {.primals = 3, .forward_calls = 20 + static_cast<int>(seed % 60)})) {}

  bool is_view(NodeId at) const { return joint.graph[at].is_call() && joint.graph[at].callee->is(Operator::View); }
  std::uint32_t order(NodeId at) const { return roles.forward_order[index_of(at)]; }
  std::vector<NodeId> forward_users(NodeId at) const {
    std::vector<NodeId> found;
    for (const NodeId user : users.of(at)) {
      if (roles.is_required_forward(user)) found.push_back(user);
    }
    return found;
  }

  Fusibility is_fusible{joint.graph};
};

// Whether the value, or a view of it, goes to a backward node that does not fuse with it.
bool is_materialized(const Example& e, NodeId id) {
  std::set<NodeId> open = {id};
  while (!open.empty()) {
    const NodeId at = *open.begin();
    open.erase(open.begin());
    for (const NodeId user : e.users.of(at)) {
      if (!e.roles.is_required_forward(user) && !e.is_fusible(at, user)) return true;
      if (e.is_view(user)) open.insert(user);
    }
  }
  return false;
}

// The calls whose values the backward has to write to memory.
std::set<NodeId> search_materialized(const Example& e) {
  std::set<NodeId> found;
  for (std::size_t i = 0; i < e.joint.graph.size(); ++i) {
    const Node& node = e.joint.graph.nodes[i];
    const bool may_strike = e.roles.required_forward[i] && node.is_call() && !node.calls("operator.getitem");
    if (may_strike && is_materialized(e, node_id(i))) found.insert(node_id(i));
  }
  return found;
}

// The order of the first node up to `farthest` that is fed without fusing, exploring from `starts` in forward order.
std::uint32_t search_first_unfusible(const Example& e, const std::vector<NodeId>& starts, std::uint32_t farthest) {
  using Visit = std::tuple<std::uint32_t, bool, NodeId>;  // order, whether it fuses, the node
  std::priority_queue<Visit, std::vector<Visit>, std::greater<>> open;
  for (const NodeId start : starts) open.emplace(e.order(start), true, start);
  std::set<Visit> seen;
  while (!open.empty()) {
    const auto [order, fuses, at] = open.top();
    open.pop();
    if (!fuses) return order;
    for (const NodeId user : e.forward_users(at)) {
      const Visit visit = {e.order(user), e.is_fusible(at, user), user};
      if (e.order(user) <= farthest && seen.insert(visit).second) open.push(visit);
    }
  }
  return farthest;
}

// The nodes that are used far apart, whether or not they may be banned.
std::set<NodeId> search_used_far_apart(const Example& e) {
  std::set<NodeId> found;
  for (std::size_t i = 0; i < e.joint.graph.size(); ++i) {
    const std::vector<NodeId> users = e.forward_users(node_id(i));
    if (!e.roles.required_forward[i] || users.empty()) continue;
    std::uint32_t last = 0;
    for (const NodeId user : users) last = std::max(last, e.order(user));
    const std::uint32_t border = search_first_unfusible(e, users, last);
    for (const NodeId user : users) {
      if (e.order(user) > border && e.is_fusible(node_id(i), user)) found.insert(user);
    }
  }
  return found;
}

// Expects `ban` on the nodes that `strikes` finds in an example, and no other that the fixed bans do not explain.
template <typename Strikes>
void expect_bans(Ban ban, const BanOptions& options, const Strikes& strikes) {
  int struck = 0;
  for (std::uint32_t seed = 1; seed <= kBannedGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Example e(seed);
    const Bans without = ban_recomputation(e.analysis, kNothingButFixedBans);
    const Bans bans = ban_recomputation(e.analysis, options);
    const std::set<NodeId> found = strikes(e);
    for (std::size_t i = 0; i < e.joint.graph.size(); ++i) {
      const Node& node = e.joint.graph.nodes[i];
      const bool may_be_banned = !node.must_recompute() && !e.is_view(node_id(i));
      Ban expected = without.of[i];
      if (expected == Ban::None && may_be_banned && found.contains(node_id(i))) expected = ban;
      EXPECT_EQ(name_of(bans.of[i]), name_of(expected)) << node.name;
      struck += expected == ban ? 1 : 0;
    }
  }
  EXPECT_GT(struck, static_cast<int>(kBannedGraphs) / 4) << "the graphs hardly test this";
}

TEST(BansAgainstSearch, MaterializedInTheBackward) {
  BanOptions options = kNothingButFixedBans;
  options.materialized_in_backward = true;
  expect_bans(Ban::MaterializedInBackward, options, search_materialized);
}

TEST(BansAgainstSearch, UsedFarApart) {
  BanOptions options = kNothingButFixedBans;
  options.used_far_apart = true;
  expect_bans(Ban::UsedFarApart, options, search_used_far_apart);
}

}  // namespace
}  // namespace fxcut
