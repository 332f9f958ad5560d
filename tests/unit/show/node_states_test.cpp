// The sides on which nodes run, and the states of their values.
#include "show/node_states.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kStep =
    "primals_1 = placeholder\n"
    "tangents_1 = placeholder\n"
    "sin = aten.sin.default(primals_1)\n"
    "cos = aten.cos.default(primals_1)\n"
    "neg = aten.neg.default(cos)\n"
    "dead = aten.exp.default(primals_1)\n"
    "mul = aten.mul.Tensor(tangents_1, neg)\n"
    "return sin | mul";

// "name:side:state" of each node but the output.
std::string states(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision) {
  const auto shown = node_states(joint, form, decision);
  std::string text;
  for (std::size_t i = 0; i + 1 < joint.graph.size(); ++i) {
    if (i > 0) text += ' ';
    text += joint.graph.nodes[i].name + (shown[i].side == Side::Forward ? ":f:" : ":b:");
    text += name_of(shown[i].state);
  }
  return text;
}

TEST(NodeStates, WithoutADecisionTheForwardIsWhatItsOutputsNeed) {
  EXPECT_EQ(states(joint_graph(kStep), GraphForm::Joint, std::nullopt),
            "primals_1:f:forward tangents_1:b:backward sin:f:forward cos:b:backward neg:b:backward dead:b:unused "
            "mul:b:backward");
}

TEST(NodeStates, SavedValuesRunInTheForward) {
  const DecisionNames decision{{"neg", "primals_1"}, {"neg"}, {}};
  EXPECT_EQ(states(joint_graph(kStep), GraphForm::Joint, decision),
            "primals_1:f:saved tangents_1:b:backward sin:f:forward cos:f:forward neg:f:offloaded dead:b:unused "
            "mul:b:backward");
}

TEST(NodeStates, CompressedValuesHoldTheirForm) {
  DecisionNames decision{{"neg"}, {}, {}, {"neg", "compressed_neg"}, {{"neg", 8}}};
  const JointGraph joint = joint_graph(kStep);
  const auto shown = node_states(joint, GraphForm::Joint, decision);
  EXPECT_EQ(shown[4].state, NodeState::Compressed);
  EXPECT_EQ(shown[4].held_bytes, 8);
}

TEST(NodeStates, FormsCrossByTheDecisionsNamesAndByPyTorchs) {
  const DecisionNames decision{{"x"}, {}, {}, {"x", "compressed_x"}};
  EXPECT_EQ(states(joint_graph("x = placeholder\n"
                               "compressed_x = aten.cos.default(x)\n"
                               "fp8_scale_pos_1_x = aten.sin.default(x)\n"
                               "return x | compressed_x, fp8_scale_pos_1_x"),
                   GraphForm::Forward, decision),
            "x:f:forward compressed_x:f:compressed fp8_scale_pos_1_x:f:compressed");
  EXPECT_EQ(states(joint_graph("compressed_x = placeholder\n"
                               "tangents_1 = placeholder\n"
                               "mul = aten.mul.Tensor(tangents_1, compressed_x)\n"
                               "return mul"),
                   GraphForm::Backward, decision),
            "compressed_x:b:compressed tangents_1:b:backward mul:b:backward");
}

TEST(NodeStates, RecomputedValuesStandInTheForward) {
  const DecisionNames decision{{"primals_1"}, {}, {"sin"}};
  EXPECT_NE(states(joint_graph(kStep), GraphForm::Joint, decision).find("sin:f:recomputed"), std::string::npos);
}

TEST(NodeStates, TheForwardsExtraOutputsAreSaved) {
  EXPECT_EQ(states(joint_graph("x = placeholder\n"
                               "sin = aten.sin.default(x)\n"
                               "cpu_offload_x = aten.cos.default(x)\n"
                               "return sin | cpu_offload_x, x"),
                   GraphForm::Forward, std::nullopt),
            "x:f:saved sin:f:forward cpu_offload_x:f:offloaded");
}

TEST(NodeStates, TheBackwardsInputsExceptTangentsAreSaved) {
  EXPECT_EQ(states(joint_graph("x = placeholder\n"
                               "cpu_offload_y = placeholder\n"
                               "tangents_1 = placeholder\n"
                               "sin = aten.sin.default(x) partitioner_tag=is_forward\n"
                               "mul = aten.mul.Tensor(tangents_1, sin)\n"
                               "return | mul"),
                   GraphForm::Backward, std::nullopt),
            "x:b:saved cpu_offload_y:b:offloaded tangents_1:b:backward sin:b:recomputed mul:b:backward");
}

}  // namespace
}  // namespace fxcut
