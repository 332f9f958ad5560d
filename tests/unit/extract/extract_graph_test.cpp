// One side taken out of a joint graph.
#include "extract/extract_graph.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

struct Request {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Side side = Side::Forward;
};

std::string extracted(std::string_view text, const Request& request) {
  const JointGraph joint = joint_graph(text);
  std::vector<NodeId> inputs;
  std::vector<OutputLeaf> outputs;
  for (const std::string& name : request.inputs) inputs.push_back(id_named(joint.graph, name));
  for (const std::string& name : request.outputs) outputs.push_back({id_named(joint.graph, name), nullptr});
  try {
    return text_of(extract_graph(joint, plan_extraction(joint, inputs, outputs, request.side)));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.what();
  }
}

constexpr std::string_view kStep = R"(
  primals_1 = placeholder
  tangents_1 = placeholder
  sin = aten.sin.default(primals_1)
  cos = aten.cos.default(sin)
  dead = aten.exp.default(primals_1)
  grad = aten.mul.Tensor(tangents_1, cos)
  return cos | grad)";

TEST(ExtractGraph, TheForward) {
  EXPECT_EQ(
      extracted(kStep, {{"primals_1"}, {"cos", "sin"}}),
      "primals_1 = placeholder\nsin = aten.sin.default(primals_1)\ncos = aten.cos.default(sin)\nreturn cos, sin\n");
}

TEST(ExtractGraph, GivenValuesBecomePlaceholdersOfTheirNames) {
  EXPECT_EQ(extracted(kStep, {{"sin", "tangents_1"}, {"grad"}, Side::Backward}),
            "sin = placeholder\ntangents_1 = placeholder\ncos = aten.cos.default(sin)\n"
            "grad = aten.mul.Tensor(tangents_1, cos)\nreturn grad\n");
}

TEST(ExtractGraph, InputsComeFirstInTheOrderGiven) {
  EXPECT_EQ(extracted(kStep, {{"tangents_1", "cos"}, {"cos"}, Side::Backward}),
            "tangents_1 = placeholder\ncos = placeholder\nreturn cos\n");
}

TEST(ExtractGraph, TargetsOfInputsAreTheirNames) {
  EXPECT_EQ(extracted("x = placeholder primals_1\nreturn x", {{"x"}, {"x"}}), "x = placeholder\nreturn x\n");
}

TEST(ExtractGraph, APlanTellsWhatIsComputedFromWhatIsGivenOrDead) {
  const JointGraph joint = joint_graph(kStep);
  const ExtractionPlan plan = plan_extraction(joint, {id_named(joint.graph, "sin")},
                                              {{id_named(joint.graph, "cos"), nullptr}}, Side::Forward);
  EXPECT_TRUE(plan.computes(id_named(joint.graph, "cos")));
  EXPECT_FALSE(plan.computes(id_named(joint.graph, "sin"))) << "given";
  EXPECT_FALSE(plan.computes(id_named(joint.graph, "dead"))) << "its input is not at hand";
}

TEST(ExtractGraph, CopiedNodesAreListedWithTheDeadOnes) {
  const JointGraph joint = joint_graph(kStep);
  const ExtractionPlan plan = plan_extraction(joint, {id_named(joint.graph, "primals_1")},
                                              {{id_named(joint.graph, "sin"), nullptr}}, Side::Forward);
  std::string copied;
  for (const NodeId id : copied_nodes(joint.graph, plan)) copied += joint.graph[id].name + " ";
  EXPECT_EQ(copied, "primals_1 sin cos dead output ");
  EXPECT_EQ(names_of(extract_graph(joint, plan)), "primals_1 sin output");
}

TEST(ExtractGraph, ATupleIsReturnedSince2_5) {
  for (const Release release : {kTorch2_4, kTorch2_5}) {
    const JointGraph joint = joint_graph(made_by(release) + "x = placeholder\nreturn x");
    const ExtractionPlan plan = plan_extraction(joint, {node_id(0)}, output_leaves(joint.graph), Side::Forward);
    const Argument::Kind kind = extract_graph(joint, plan).output().arguments->positional.front().kind;
    EXPECT_EQ(kind, release == kTorch2_4 ? Argument::Kind::List : Argument::Kind::Tuple);
  }
}

TEST(ExtractGraph, ConstantsAreReturnedAsTheyAre) {
  const JointGraph joint = joint_graph("x = placeholder\nreturn x, None, 3");
  const ExtractionPlan plan = plan_extraction(joint, {node_id(0)}, output_leaves(joint.graph), Side::Forward);
  EXPECT_EQ(text_of(extract_graph(joint, plan)), "x = placeholder\nreturn x, None, 3\n");
}

constexpr std::string_view kMutations = R"(
  x = placeholder
  tangents_1 = placeholder
  in_forward = aten.copy_.default(x, x) partitioner_tag=must_be_in_forward
  in_backward = aten.copy_.default(x, tangents_1) partitioner_tag=must_be_in_backward
  return x | tangents_1)";

TEST(ExtractGraph, MutationsRunOnTheirSideOnly) {
  EXPECT_EQ(extracted(kMutations, {{"x", "tangents_1"}, {"x"}, Side::Forward}),
            "x = placeholder\ntangents_1 = placeholder\nin_forward = aten.copy_.default(x, x)\nreturn x\n");
  EXPECT_EQ(extracted(kMutations, {{"x", "tangents_1"}, {"x"}, Side::Backward}),
            "x = placeholder\ntangents_1 = placeholder\nin_backward = aten.copy_.default(x, tangents_1)\nreturn x\n");
}

TEST(ExtractGraph, TheForwardReturnsTheInputForACopyThatTheBackwardMakes) {
  EXPECT_EQ(extracted(kMutations, {{"x"}, {"in_backward"}}),
            "x = placeholder\nin_forward = aten.copy_.default(x, x)\nreturn x\n");
}

TEST(ExtractGraph, TritonResultsAreReplacedByTheirDestinations) {
  constexpr std::string_view text = R"(
    x = placeholder
    tangents_1 = placeholder
    kernel = higher_order.triton_kernel_wrapper_functional(tangents_1, kwargs={"in": tangents_1, "out": x})
    item = operator.getitem(kernel, "out")
    viewed = aten.view.default(item, [4])
    other = operator.getitem(kernel, "in")
    return item, viewed | other)";
  EXPECT_EQ(extracted(text, {{"x"}, {"item"}}), "x = placeholder\nreturn x\n");
  EXPECT_EQ(extracted(text, {{"x"}, {"viewed"}}), "x = placeholder\nreturn x\n");
  EXPECT_NE(extracted(text, {{"x"}, {"other"}}).find("'other' is an output of the forward"), std::string::npos);
}

TEST(ExtractGraph, AnOutputThatItsSideCannotComputeIsRefused) {
  EXPECT_EQ(extracted(kStep, {{"primals_1"}, {"grad"}}),
            "fxcut: error: 'grad' is an output of the forward, but it depends on 'tangents_1', "
            "which only the backward has\n"
            "  check num_fwd_outputs and the partitioner_tag of the nodes between the two");
  EXPECT_NE(extracted(kStep, {{"tangents_1"}, {"grad"}, Side::Backward})
                .find("depends on 'primals_1', which only the forward has"),
            std::string::npos);
}

}  // namespace
}  // namespace fxcut
