// The answers of explain on random graphs, against the network behind them.
#include "explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "explain/cut_view.h"
#include "explain/paths.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "solve/budget_solvers.h"
#include "solve/saving_network.h"

namespace fxcut {
namespace {


const std::function<HaltRequested()> kNoClock = [] { return kNeverHalt; };

// Draws as random_settings does, but has a minimum cut decide.
Settings settings_of_cut(std::uint32_t seed) {
  Settings settings = random_settings(seed);
  settings.partitioner = Partitioner::MinCut;
  settings.activation_memory_budget_solver = *find_row(budget_solvers(), "greedy");
  settings.saved_bytes_limit.reset();
  return settings;
}

// Calls `check` with each decision that a cut made, its settings and its network.
template <typename Check>
void for_each_cut(const Check& check) {
  std::uint32_t decisions = 0;
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Settings settings = settings_of_cut(seed);
    try {
      const Decision decision = decide(joint_graph(random_text(seed)), settings, {}, kNeverHalt);
      if (!decision.choice.decided_by<ByMinCut>()) continue;
      const auto distance = distance_from_backward(decision.joint.graph, decision.users, decision.roles);
      const Analysis analysis{decision.joint, decision.users, decision.roles, distance, settings};
      check(decision, settings, saving_network(analysis, *node_facts(decision.choice)));
      ++decisions;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(decisions, kGraphs / 3) << "hardly any decision is a cut's";
}

// Whether the value is saved if only its weight is changed to `weight`.
bool is_saved_at(FlowNetwork network, NodeId value, Int128 weight, CutSide side) {
  for (FlowEdge& edge : network.edges) {
    if (edge.from != in_vertex(value) || edge.to != out_vertex(value)) continue;
    edge.capacity = weight;
    return goes_through(solve_min_cut(network, side), edge);
  }
  return false;
}

TEST(ExplainOfRandomGraphs, AWeightLimitIsExact) {
  int limits = 0;
  for_each_cut([&](const Decision& decision, const Settings& settings, const FlowNetwork& network) {
    const CutView view(decision, settings);
    for (std::size_t i = 0; i < decision.joint.graph.size(); ++i) {
      const auto facts = view.of(node_id(i));
      if (!facts) continue;
      SCOPED_TRACE(decision.joint.graph.nodes[i].name);
      const WeightLimit& limit = facts->limit;
      const auto is_saved = [&](Int128 weight) { return is_saved_at(network, node_id(i), weight, settings.cut_side); };
      if (limit.kind == WeightLimit::Kind::Never) {
        EXPECT_FALSE(is_saved(0));
      } else if (limit.kind == WeightLimit::Kind::Always) {
        EXPECT_TRUE(is_saved(Int128{1} << 60));
      } else {
        EXPECT_TRUE(is_saved(limit.saved_up_to));
        EXPECT_FALSE(is_saved(limit.saved_up_to + 1));
        ++limits;
      }
    }
  });
  EXPECT_GT(limits, 1000);
}

// A path through the network: from the source into the first node, through all but what only the backward computes,
// and on to the sink.
std::vector<Vertex> vertices_on(const Decision& decision, const FlowNetwork& network, const std::vector<NodeId>& path) {
  std::vector<Vertex> vertices = {network.source};
  for (const NodeId id : path) {
    vertices.push_back(in_vertex(id));
    const BackwardReason tie = node_facts(decision.choice)->backward_reasons[index_of(id)];
    const bool ends_there = tie == BackwardReason::ComputedInBackward || tie == BackwardReason::MustBeRecomputed;
    if (!ends_there) vertices.push_back(out_vertex(id));
  }
  vertices.push_back(network.sink);
  return vertices;
}

TEST(ExplainOfRandomGraphs, TheWayOfASavedValueIsAPathOfTheNetworkThatIsCutThereAlone) {
  int paths = 0, longer = 0;
  for_each_cut([&](const Decision& decision, const Settings& settings, const FlowNetwork& network) {
    std::set<std::pair<Vertex, Vertex>> edges;
    for (const FlowEdge& edge : network.edges) edges.emplace(edge.from, edge.to);
    const MinCut cut = solve_min_cut(network, settings.cut_side);
    for (const NodeId value : decision.choice.saved) {
      SCOPED_TRACE(decision.joint.graph[value].name);
      const std::vector<NodeId> path = path_of_saved(decision, value);
      if (path.empty()) {
        EXPECT_TRUE(node_facts(decision.choice)->costs[index_of(value)].cost == 0) << "what costs is saved for a reason";
        continue;
      }
      EXPECT_EQ(std::count(path.begin(), path.end(), value), 1);
      const std::vector<Vertex> vertices = vertices_on(decision, network, path);
      for (std::size_t v = 0; v + 1 < vertices.size(); ++v) {
        const Vertex from = vertices[v], to = vertices[v + 1];
        EXPECT_TRUE(edges.contains({from, to})) << from << " to " << to;
        const bool is_value = from == in_vertex(value) && to == out_vertex(value);
        EXPECT_EQ(goes_through(cut, {from, to, 0}), is_value);
      }
      ++paths;
      longer += path.size() > 3 ? 1 : 0;
    }
  });
  EXPECT_GT(paths, 500);
  EXPECT_GT(longer, 50) << "hardly any way passes through nodes";
}

TEST(ExplainOfRandomGraphs, EveryNodeHasAnExplanationUnderEverySolver) {
  std::map<NodeOutcome, int> outcomes;
  for_each_partition([&](const JointGraph& joint, const Partition& made, std::uint32_t seed) {
    if (seed % 4 != 0) return;
    const Settings settings = random_settings(seed);
    std::vector<std::string> names;
    for (const Node& node : joint.graph.nodes) names.push_back(node.name);
    const Explanations explained = explain({joint, settings, {}, kNoClock}, names);
    std::set<std::string> saved;
    for (const NodeExplanation& told : explained.nodes) {
      EXPECT_FALSE(told.why.reason.empty() || told.why.text.empty()) << told.node.name;
      ++outcomes[told.outcome];
      if (told.outcome == NodeOutcome::Saved) saved.insert(told.node.name);
    }
    std::set<std::string> reported;
    for (const auto* rows : {&made.report.saved_values, &made.report.saved_opaques, &made.report.saved_symbols}) {
      for (const SavedValue& row : *rows) reported.insert(row.name);
    }
    EXPECT_EQ(saved, reported);
    EXPECT_EQ(explained.nodes.size(), names.size());
  });
  for (const NodeOutcome outcome : {NodeOutcome::Saved, NodeOutcome::Recomputed, NodeOutcome::ForwardOnly,
                                    NodeOutcome::BackwardOnly, NodeOutcome::Merged}) {
    EXPECT_GT(outcomes[outcome], 10) << name_of(outcome);
  }
}

}  // namespace
}  // namespace fxcut
