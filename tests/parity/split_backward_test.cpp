// Backwards in two parts equal torchtitan's (testdata/split_backward) node by node, and the parts compute the joint graph's
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "json_graph.h"
#include "partition/partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"
#include "split/split_backward.h"
#include "verify/join_backward.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;
const fs::path kSplits = fs::path(FXCUT_TESTDATA) / "split_backward";
constexpr std::string_view kPartsEnding = ".parts.json";

std::vector<std::string> recorded_splits() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSplits)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(kPartsEnding)) names.push_back(name.substr(0, name.size() - kPartsEnding.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

JointGraph alone(const JointGraph& joint, const Graph& graph, const Subgraphs& subgraphs) {
  JointGraph side;
  side.torch = joint.torch;
  side.symbols = joint.symbols;
  side.graph = graph;
  side.subgraphs = subgraphs;
  return side;
}

Json names_in(const Graph& graph) {
  Json nodes = Json::array(), outputs = Json::array();
  for (const Node& node : graph.nodes) {
    if (!node.is_output()) nodes.push_back(node.name);
  }
  for (const OutputLeaf& leaf : output_leaves(graph)) outputs.push_back(leaf.node ? Json(graph[*leaf.node].name) : Json());
  return {{"nodes", nodes}, {"outputs", outputs}};
}

class SplitBackward : public testing::TestWithParam<std::string> {};

TEST_P(SplitBackward, IsTorchtitansAndComputesTheSame) {
  const auto text = [&](const std::string& ending) { return read_file((kSplits / (GetParam() + ending)).string()); };
  const JointGraph joint = read_joint_graph(*Document::parse(text(".json"), GetParam()));
  const Partition whole = partition(joint, {});
  const auto parts =
      split_backward(alone(joint, whole.graphs.backward, whole.subgraphs), gradients_of_weights(joint)).value();
  const Json expected = Json::parse(text(std::string(kPartsEnding)));
  EXPECT_EQ(names_in(parts.input), expected.at("backward_input"));
  EXPECT_EQ(names_in(parts.weight), expected.at("backward_weight"));

  std::vector<Mismatch> mismatches;
  JointGraph forward = alone(joint, whole.graphs.forward, whole.subgraphs);
  forward.num_forward_outputs = joint.num_forward_outputs;
  const JointGraph backward = join_backward(joint, alone(joint, parts.input, parts.subgraphs),
                                            alone(joint, parts.weight, parts.subgraphs), mismatches);
  const Verification found = verify(joint, forward, backward);
  EXPECT_TRUE(mismatches.empty() && found.mismatches.empty()) << verification_text(found);
  EXPECT_EQ(found.gradients, gradients_of_weights(joint).size());
}

INSTANTIATE_TEST_SUITE_P(Recorded, SplitBackward, testing::ValuesIn(recorded_splits()),
                         [](const auto& given) { return given.param; });

}  // namespace
}  // namespace fxcut
