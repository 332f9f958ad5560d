// Calls that the backward runs once more.
#include "finish/run_again.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// A backward that recomputes b and c out of a, and uses b twice.
const std::string kUsedTwice = R"(
  a = placeholder : f32[4]
  tangents_1 = placeholder : f32[4]
  b = aten.sin.default(a) : f32[4]
  c = aten.sin.default(b) : f32[4]
  first = aten.mul.Tensor(tangents_1, b) : f32[4]
  second = aten.mul.Tensor(first, c) : f32[4]
  third = aten.mul.Tensor(second, b) : f32[4]
  return | third)";

struct BackwardAlone {
  JointGraph joint = joint_graph(kUsedTwice);
  Graph backward = joint.graph;
  Namespace names{backward};

  RecomputedAgain again(std::string_view value, std::string_view before) const {
    return {id_named(joint.graph, value), id_named(joint.graph, before)};
  }
  std::vector<RunAgain> run(const std::vector<RecomputedAgain>& planned) {
    return run_again(backward, joint.graph, planned, names);
  }
};

TEST(RunAgain, LaterUsersTakeTheCopy) {
  BackwardAlone step;
  const std::vector<RunAgain> added = step.run({step.again("b", "third")});
  EXPECT_EQ(names_of(step.backward), "a tangents_1 b c first second b_recomputed third output");
  const Node& third = node_named(step.backward, "third");
  EXPECT_EQ(third.inputs.at(1), id_named(step.backward, "b_recomputed"));
  EXPECT_EQ(node_named(step.backward, "first").inputs.at(1), id_named(step.backward, "b"));
  EXPECT_TRUE(node_named(step.backward, "b_recomputed").is_recomputed_copy);
  ASSERT_EQ(added.size(), 1u);
  EXPECT_EQ(added[0].name, "b_recomputed");
  EXPECT_EQ(added[0].value, id_named(step.joint.graph, "b"));
  EXPECT_EQ(added[0].before, id_named(step.joint.graph, "third"));
}

TEST(RunAgain, ACopyTakesWhatWasCopiedBeforeIt) {
  BackwardAlone step;
  step.run({step.again("b", "second"), step.again("c", "second"), step.again("b", "third")});
  EXPECT_EQ(names_of(step.backward), "a tangents_1 b c first b_recomputed c_recomputed second b_recomputed_1 third output");
  EXPECT_EQ(node_named(step.backward, "c_recomputed").inputs.at(0), id_named(step.backward, "b_recomputed"));
  EXPECT_EQ(node_named(step.backward, "third").inputs.at(1), id_named(step.backward, "b_recomputed_1"));
}

TEST(RunAgain, NamesOfTheJointGraphAreNotTaken) {
  BackwardAlone step;
  step.joint.graph[id_named(step.joint.graph, "c")].name = "b_recomputed";  // that only the forward has
  step.run({step.again("b", "third")});
  EXPECT_EQ(names_of(step.backward), "a tangents_1 b c first second b_recomputed_1 third output");
}

TEST(RunAgain, SavedValuesAreNotRunAgain) {
  BackwardAlone step;
  EXPECT_TRUE(step.run({step.again("a", "third")}).empty());
  EXPECT_EQ(text_of(step.backward), text_of(step.joint.graph));
}

TEST(RunAgain, NothingRunsBeforeItsInputs) {
  BackwardAlone step;
  try {
    step.run({step.again("c", "b")});
    ADD_FAILURE() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).message,
              "'c' cannot be recomputed again before 'b': the backward has not computed it there");
    EXPECT_EQ(failure.diagnostics().at(0).hint, "name a later node");
  }
}

}  // namespace
}  // namespace fxcut
