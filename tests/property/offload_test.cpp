// The parts that offloading leaves unchanged, on random joint graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "random_partition.h"

namespace fxcut {
namespace {

bool is_copy(const Node& node) {
  return node.calls("prims.device_put.default") || node.calls("ao.offload.default") ||
         node.calls("ao.reload.default") || node.calls("ao.wait_tensor.default");
}

// The nodes of the graph besides copies, in order, inputs under the names that they have without offloading.
std::string without_copies(const Graph& graph, const std::map<std::string, std::string>& value_of_copy) {
  std::string names;
  for (const Node& node : graph.nodes) {
    if (is_copy(node)) continue;
    const auto value = value_of_copy.find(node.name);
    names += (value == value_of_copy.end() ? node.name : value->second) + " ";
  }
  return names;
}

Partition partition_without(const JointGraph& joint, std::uint32_t seed) {
  Settings settings = random_settings(seed);
  settings.enable_activation_offloading = false;
  return partition(joint, settings);
}

TEST(Offloading, ChangesNoDecisionAndOnlyAddsCopies) {
  std::size_t offloaded = 0;
  for_each_partition([&](const JointGraph& joint, const Partition& result, std::uint32_t seed) {
    const Partition plain = partition_without(joint, seed);
    std::map<std::string, std::string> value_of_copy;
    ASSERT_EQ(result.report.saved_values.size(), plain.report.saved_values.size());
    for (std::size_t i = 0; i < plain.report.saved_values.size(); ++i) {
      const SavedValue& saved = result.report.saved_values[i];
      EXPECT_EQ(saved.name, plain.report.saved_values[i].name);
      EXPECT_EQ(saved.forward_output, plain.report.saved_values[i].forward_output);
      EXPECT_EQ(saved.backward_input, plain.report.saved_values[i].backward_input);
      if (!saved.host_name.empty()) value_of_copy.emplace(saved.host_name, saved.name);
    }
    EXPECT_EQ(without_copies(result.graphs.forward, value_of_copy), without_copies(plain.graphs.forward, {}));
    EXPECT_EQ(without_copies(result.graphs.backward, value_of_copy), without_copies(plain.graphs.backward, {}));
    offloaded += value_of_copy.size();
  });
  EXPECT_GT(offloaded, kGraphs / 4) << "the graphs hardly test this";
}

TEST(Offloading, NeverMakesAPartitionImpossible) {
  for (std::uint32_t seed = 1; seed <= kGraphs; ++seed) {
    const JointGraph joint = joint_graph(random_text(seed));
    const auto is_possible = [&](const auto& make) {
      try {
        make();
        return true;
      } catch (const Failure&) {
        return false;
      }
    };
    EXPECT_EQ(is_possible([&] { partition(joint, random_settings(seed)); }),
              is_possible([&] { partition_without(joint, seed); }))
        << "seed " << seed;
  }
}

TEST(Offloading, EveryMarkedValueIsOffloadedOrRefusedWithAReason) {
  for_each_partition([](const JointGraph& joint, const Partition& result, std::uint32_t seed) {
    std::map<std::string, int> answers;
    for (const SavedValue& saved : result.report.saved_values) {
      if (!saved.host_name.empty()) ++answers[saved.name];
    }
    for (const OffloadRefused& refused : result.report.offload_refusals) ++answers[refused.name];
    for (const Node& node : joint.graph.nodes) {
      const auto answer = answers.find(node.name);
      const int count = answer == answers.end() ? 0 : answer->second;
      // A marked node that is merged with an earlier one, or that is dead, gets none.
      EXPECT_LE(count, node.meta.should_offload && random_settings(seed).enable_activation_offloading ? 1 : 0)
          << node.name;
    }
  });
}

TEST(Offloading, CopiesAreWaitedForOnceAndNothingElseTakesWhatIsUnderWay) {
  std::size_t under_way = 0;
  for_each_partition([&](const JointGraph&, const Partition& result, std::uint32_t) {
    for (const Graph* graph : {&result.graphs.forward, &result.graphs.backward}) {
      const Users users(*graph);
      for (std::size_t i = 0; i < graph->size(); ++i) {
        const Node& node = graph->nodes[i];
        if (!node.calls("ao.offload.default") && !node.calls("ao.reload.default")) continue;
        ++under_way;
        ASSERT_EQ(users.of(i).size(), 1u) << node.name;
        EXPECT_TRUE((*graph)[users.of(i)[0]].calls("ao.wait_tensor.default")) << node.name;
      }
    }
  });
  EXPECT_GT(under_way, 0u);
}

}  // namespace
}  // namespace fxcut
