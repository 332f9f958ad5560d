// One joint graph as stages.
#include "stage/split_at.h"

#include <gtest/gtest.h>

#include <map>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "split/parameter_gradients.h"

namespace fxcut {
namespace {

// Two layers; the second also uses a value of the first's beginning.
constexpr std::string_view kTwoLayers = R"(
    primals_1 = placeholder : f32[4, 4]
    primals_2 = placeholder : f32[4, 4] static
    primals_3 = placeholder : f32[4, 4] static
    sin = aten.sin.default(primals_1) : f32[4, 4] module="a"
    mm = aten.mm.default(sin, primals_2) : f32[4, 4] module="a"
    mm_1 = aten.mm.default(mm, primals_3) : f32[4, 4] module="b.c"
    mul = aten.mul.Tensor(mm_1, sin) : f32[4, 4] module="b"
    tangents_1 = placeholder : f32[4, 4]
    mul_1 = aten.mul.Tensor(tangents_1, sin) : f32[4, 4] module="b"
    mul_2 = aten.mul.Tensor(tangents_1, mm_1) : f32[4, 4] module="b"
    t = aten.t.default(mm) : f32[4, 4]
    mm_2 = aten.mm.default(t, mul_1) : f32[4, 4] module="b.c"
    t_1 = aten.t.default(primals_3) : f32[4, 4]
    mm_3 = aten.mm.default(mul_1, t_1) : f32[4, 4] module="b.c"
    t_2 = aten.t.default(sin) : f32[4, 4] module="a"
    mm_4 = aten.mm.default(t_2, mm_3) : f32[4, 4] module="a"
    t_3 = aten.t.default(primals_2) : f32[4, 4] module="a"
    mm_5 = aten.mm.default(mm_3, t_3) : f32[4, 4] module="a"
    add = aten.add.Tensor(mul_2, mm_5) : f32[4, 4]
    return mul | add, mm_4, mm_2
)";

std::string gradients_of(const JointGraph& stage) {
  std::string text;
  const auto leaves = output_leaves(stage.graph);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    text += i == stage.num_forward_outputs ? " |" : "";
    text += " " + (leaves[i].node ? stage.graph[*leaves[i].node].name : "None");
  }
  return text;
}

TEST(SplitAt, ValuesGoToLaterStagesAndGradientsToEarlierOnes) {
  const auto stages = split_at(joint_graph(kTwoLayers), {"b"});
  ASSERT_EQ(stages.size(), 2U);
  EXPECT_EQ(names_of(stages[0].graph), "primals_1 primals_2 tangents_mul_2 tangents_mm_3 sin mm t_2 mm_4 t_3 mm_5 add output");
  EXPECT_EQ(gradients_of(stages[0]), " sin mm | add mm_4");
  EXPECT_EQ(names_of(stages[1].graph), "primals_3 sin mm tangents_1 mm_1 mul mul_1 mul_2 t mm_2 t_1 mm_3 output");
  EXPECT_EQ(gradients_of(stages[1]), " mul | mm_2 None None mul_2 mm_3");
  EXPECT_TRUE(is_tangent(node_named(stages[0].graph, "tangents_mm_3")));
  EXPECT_TRUE(is_primal(node_named(stages[1].graph, "sin")));
}

TEST(SplitAt, GradientsOfStaticInputsAreParameters) {
  const auto stages = split_at(joint_graph(kTwoLayers), {"b"});
  EXPECT_EQ(find_parameter_gradients(stages[0]), (std::vector<bool>{false, true}));
  EXPECT_EQ(find_parameter_gradients(stages[1]), (std::vector<bool>{true, false, false, false, false}));
}

TEST(SplitAt, WithoutModulesThereIsOneStage) {
  const JointGraph joint = joint_graph(kTwoLayers);
  const auto stages = split_at(joint, {});
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(gradients_of(stages[0]), gradients_of(joint));
}

std::string refusal(const std::vector<std::string>& modules) {
  try {
    split_at(joint_graph(kTwoLayers), modules);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    return failure.diagnostics()[0].message + "; " + failure.diagnostics()[0].hint;
  }
}

TEST(SplitAt, ModulesThatCannotBeMeantAreRefused) {
  EXPECT_EQ(refusal({"b.d"}), "--split-at: no forward node is of a module 'b.d'; did you mean 'b.c'?");
  EXPECT_EQ(refusal({"b", "a"}), "--split-at: 'a' does not come after 'b'; list the modules in the order in which they run");
  EXPECT_EQ(refusal({"encoder"}),
            "--split-at: no forward node is of a module 'encoder'; 'fxcut show GRAPH --as summary' lists the modules");
}

}  // namespace
}  // namespace fxcut
