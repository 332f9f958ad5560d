// Invariants of every partition, on random joint graphs.
#include "partition/partition.h"

#include <gtest/gtest.h>

#include <set>

#include "broken_partition.h"
#include "random_partition.h"
#include "read/read_graph.h"
#include "report/show_report.h"
#include "unit/analysed_graph.h"
#include "verify/verify.h"
#include "write/graph_json.h"

namespace fxcut {
namespace {

void expect_well_formed(const Graph& graph) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    EXPECT_TRUE(names.insert(node.name).second) << node.name << " stands twice";
    EXPECT_EQ(node.is_output(), i + 1 == graph.size()) << node.name;
    for (const NodeId input : node.inputs) EXPECT_LT(index_of(input), i) << node.name;
  }
}

TEST(Partitions, EveryNodeTakesEarlierNodesOnly) {
  for_each_partition([](const JointGraph&, const Partition& result, std::uint32_t) {
    expect_well_formed(result.graphs.forward);
    expect_well_formed(result.graphs.backward);
  });
}

TEST(Partitions, BackwardTakesTheOutputsAddedToTheForward) {
  std::size_t states = 0;
  for_each_partition([&](const JointGraph& joint, const Partition& result, std::uint32_t) {
    const std::vector<OutputLeaf> outputs = output_leaves(result.graphs.forward);
    const std::vector<std::string> inputs = placeholder_names(result.graphs.backward);
    const auto returned = [&](std::size_t position) {
      return result.graphs.forward[outputs.at(position).node.value()].name;
    };
    std::size_t position = joint.num_forward_outputs;
    for (const SavedValue& saved : result.report.saved_values) {
      EXPECT_EQ(saved.forward_output, position++);
      const std::string& crossing = saved.host_name.empty() ? saved.name : saved.host_name;
      EXPECT_EQ(returned(saved.forward_output), crossing);
      EXPECT_EQ(inputs.at(saved.backward_input), crossing);
    }
    // The states of random operators have other names on the other side.
    for (const SavedState& state : result.report.saved_random_states) {
      EXPECT_EQ(state.forward_output, position++);
      EXPECT_EQ(returned(state.forward_output), state.name);
      EXPECT_EQ(inputs.at(state.backward_input), state.backward_name);
    }
    EXPECT_EQ(outputs.size(), position);
    states += result.report.saved_random_states.size();
  });
  EXPECT_GT(states, 0u) << "no graph has a random operator that runs twice";
}

TEST(Partitions, ForwardAndThenBackwardComputeWhatTheJointGraphComputes) {
  std::uint32_t sound = 0, drawn_again = 0;
  for_each_partition([&](const JointGraph& joint, const Partition& result, std::uint32_t) {
    const auto report = nlohmann::json::parse(report_json(result.report));
    const Verification found = verify(joint, side_of(result.graphs.forward, result, joint),
                                      side_of(result.graphs.backward, result, joint), &report);
    if (draws_again(found) && !result.report.frontier) {
      ++drawn_again;
    } else {
      ++sound;
      EXPECT_TRUE(found.mismatches.empty()) << verification_text(found);
    }
  });
  EXPECT_LT(drawn_again * 20, sound);
}

TEST(Partitions, TheBackwardTakesNoMoreThanWhatIsSavedAndItsGradients) {
  for_each_partition([](const JointGraph&, const Partition& result, std::uint32_t) {
    const auto& report = result.report;
    EXPECT_EQ(placeholder_names(result.graphs.backward).size(),
              report.saved_values.size() + report.saved_random_states.size() + 2);
  });
}

TEST(Partitions, TheFrontierSolverCountsWhatIsWritten) {
  std::uint32_t compared = 0, recomputed = 0;
  for_each_partition([&](const JointGraph&, const Partition& result, std::uint32_t) {
    const Report& report = result.report;
    if (!report.frontier) return;
    EXPECT_EQ(report.totals.saved_bytes_not_static, report.frontier->saved_bytes);
    EXPECT_LE(report.frontier->saved_bytes, report.frontier->limit_bytes);
    EXPECT_TRUE(report.frontier->bound <= report.frontier->run_cost);
    // Under a saved state a random operator has another name, and its items may have that of something else.
    if (!report.saved_random_states.empty()) return;
    constexpr double kMsPerPicosecond = 1e-9;  // to which the solver rounds
    const double priced_ms = static_cast<double>(report.frontier->run_cost - *report.frontier->keep_cost) * kMsPerPicosecond;
    EXPECT_LE(report.run_time->recomputed_ms,
              priced_ms + kMsPerPicosecond * static_cast<double>(report.totals.recomputed_operators + 1));
    ++compared;
    recomputed += report.frontier->run_cost > 0 ? 1u : 0u;
  });
  EXPECT_GT(compared, 20u);
  EXPECT_GT(recomputed, 20u);
}

TEST(Partitions, TheCutsValueIsTheSumOfTheSavingCosts) {
  std::uint32_t compared = 0;
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const AnalysedGraph graph(random_text(seed), random_settings(seed));
    try {
      const SavedValues choice = choose_saved_values(graph.analysis, 1);
      Int128 sum = 0;
      for (const NodeId id : choice.saved) sum += node_facts(choice)->costs[index_of(id)].cost;
      EXPECT_TRUE(sum == solved_by(choice).cuts.at(0).value);
      ++compared;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
  }
  EXPECT_GT(compared, kGraphs / 2);
}

std::string written(std::uint32_t seed) {
  const auto document = Document::parse(joint_json(random_text(seed)), "test.json");
  try {
    const Partition result = partition(read_joint_graph(*document), random_settings(seed));
    return graph_json(result.graphs.forward, result.subgraphs, "forward", *document) +
           graph_json(result.graphs.backward, result.subgraphs, "backward", *document) + report_json(result.report);
  } catch (const Failure& failure) {
    return failure.what();
  }
}

TEST(Partitions, TheSameInputGivesTheSameBytes) {
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) EXPECT_EQ(written(seed), written(seed)) << "seed " << seed;
}

}  // namespace
}  // namespace fxcut
