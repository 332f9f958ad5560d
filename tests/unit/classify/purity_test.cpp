// Calls that do more than compute their value.
#include "classify/purity.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The graph of one call, which is named `call`.
JointGraph call_of(const std::string& call) { return joint_graph("x = placeholder\ncall = " + call + "\nreturn call"); }

bool mutates(const std::string& call) { return is_mutation(node_named(call_of(call).graph, "call")); }
bool impure(const std::string& call) { return is_impure(node_named(call_of(call).graph, "call")); }

TEST(Impure, InputsAndTheOutput) {
  const JointGraph joint = joint_graph("x = placeholder\nw = get_attr w\nreturn x");
  EXPECT_TRUE(is_impure(node_named(joint.graph, "x")));
  EXPECT_TRUE(is_impure(node_named(joint.graph, "output")));
  EXPECT_FALSE(is_impure(node_named(joint.graph, "w")));
}

TEST(Impure, OperatorsThatWriteOrHaveAnEffect) {
  EXPECT_TRUE(impure("aten.add_.Tensor(x, x)"));
  EXPECT_TRUE(impure("aten._assert_scalar.default(x, \"message\")"));
  EXPECT_TRUE(impure("operator.setitem(x, 0, 1)"));
  EXPECT_TRUE(impure("_c10d_functional.wait_tensor.default(x)"));
  EXPECT_FALSE(impure("aten.add.Tensor(x, x)"));
  EXPECT_FALSE(impure("aten.bernoulli.default(x)"));
  EXPECT_FALSE(impure("_c10d_functional.all_reduce.default(x, \"sum\", \"0\")"));
}

TEST(Impure, AutoFunctionalizedCallsAreWhatTheyWrap) {
  for (const std::string wrapper : {"higher_order.auto_functionalized", "higher_order.auto_functionalized_v2"}) {
    EXPECT_TRUE(impure(wrapper + "(op(aten._print.default), s=\"text\")"));
    EXPECT_FALSE(impure(wrapper + "(op(my.own.default), x=x)"));
  }
}

TEST(Mutation, OverloadsGoByTheirSchema) {
  EXPECT_TRUE(mutates("aten.copy_.default(x, x)"));
  EXPECT_TRUE(mutates("aten.add.out(x, x, out=x)"));
  EXPECT_FALSE(mutates("aten.__rshift__.Tensor(x, x)"));
  EXPECT_FALSE(mutates("my.set_.default(x)")) << "nobody says that it writes";
}

TEST(Mutation, FunctionsGoByTheirNames) {
  // The matches of Python's re for (?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_).
  for (const std::string name :
       {"_set_grad_enabled", "copy_", "set_", "set", "_set", "x_set_y", "seed", "manual_seed", "_exit_autocast",
        "_enter_autocast", "enter", "_", "set_seed", "set_x", "exit_", "_setx_seed_", "_seed_"}) {
    EXPECT_TRUE(mutates("torch." + name + "(x)")) << name;
  }
  for (const std::string name :
       {"__rshift__", "setitem", "__set", "set__", "xset", "setx", "x__set", "__enter__", "__exit__", "reset", "seeded",
        "a__", "__", "___", "getitem", "add", "my_enter__", "with_effects", "presets"}) {
    EXPECT_FALSE(mutates("torch." + name + "(x)")) << name;
  }
}

TEST(Mutation, FunctionsThatAreGivenAPlaceForTheirResult) {
  EXPECT_TRUE(mutates("torch.add(x, x, out=x)"));
  EXPECT_FALSE(mutates("torch.add(x, x, out=None)"));
}

TEST(Mutation, HigherOrderOperatorsGoByTheirNamesButForOne) {
  EXPECT_FALSE(mutates("higher_order.auto_functionalized(op(aten.copy_.default), out=x)"));
  EXPECT_TRUE(mutates("higher_order.set_something(x)"));
}

TEST(Mutation, ResizingAStorageGoesByItsName) {
  // Its base name is "default", in which there is no trailing underscore.
  EXPECT_FALSE(mutates("inductor.resize_storage_bytes_.default(x, 0)"));
}

// Two operators tagged as random, which take a probability by different names.
const std::string kRandomOperators =
    R"("ops": {"my.noise.default": {"tags": ["nondeterministic_seeded"], )"
    R"("schema": "my::noise(Tensor x, float p=0.0) -> Tensor"}, )"
    R"("my.attend.default": {"tags": ["nondeterministic_seeded"], )"
    R"("schema": "my::attend(Tensor x, float dropout_p) -> Tensor"}})"
    "\n";

bool random(const std::string& call, Release release = kNewestRelease) {
  const JointGraph joint = joint_graph(made_by(release) + kRandomOperators + R"(
    x = placeholder
    call = )" + call + "\nreturn call");
  return is_random(node_named(joint.graph, "call"));
}

TEST(Random, OperatorsThatDrawFromASeededGenerator) {
  EXPECT_TRUE(random("aten.bernoulli.default(x)"));
  EXPECT_TRUE(random("my.noise.default(x, 0.0)")) << "an argument of another name than dropout_p tells nothing";
  EXPECT_FALSE(random("aten.sin.default(x)"));
}

TEST(Random, AttentionWithoutDropoutIsNotSince2_15) {
  for (const std::string dropout : {"0", "0.0", "-0.0", "False"}) {
    EXPECT_FALSE(random("my.attend.default(x, " + dropout + ")", Release{15})) << dropout;
    EXPECT_FALSE(random("my.attend.default(x, dropout_p=" + dropout + ")", Release{15})) << dropout;
    EXPECT_TRUE(random("my.attend.default(x, " + dropout + ")", Release{13})) << dropout;
  }
  for (const std::string dropout : {"0.1", "True", "nan", "None", "x"}) {
    EXPECT_TRUE(random("my.attend.default(x, " + dropout + ")", Release{15})) << dropout;
  }
  EXPECT_TRUE(random("my.attend.default(x)", Release{15})) << "it has no default";
}

TEST(Random, AttentionOfPyTorchsOwnHasNoDropoutByDefault) {
  const std::string call = "aten._scaled_dot_product_efficient_attention.default(x, x, x, None, False";
  EXPECT_FALSE(random(call + ")", Release{15}));
  EXPECT_TRUE(random(call + ", 0.1)", Release{15}));
  EXPECT_TRUE(random(call + ")", Release{13}));
}

TEST(SideOfAMutation, IsWhatItIsTaggedFor) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder
    untagged = aten.copy_.default(x, x)
    forward = aten.copy_.default(x, x) partitioner_tag=is_forward
    backward = aten.copy_.default(x, x) partitioner_tag=is_backward
    must_forward = aten.sin.default(x) partitioner_tag=must_be_in_forward
    must_backward = aten.copy_.default(x, x) partitioner_tag=must_be_in_backward
    pure = aten.sin.default(x) partitioner_tag=is_backward
    return pure)");
  std::string in_forward, in_backward;
  for (const Node& node : joint.graph.nodes) {
    if (must_be_in_forward(node)) in_forward += node.name + " ";
    if (must_be_in_backward(node)) in_backward += node.name + " ";
  }
  EXPECT_EQ(in_forward, "untagged forward must_forward ");
  EXPECT_EQ(in_backward, "backward must_backward ");
}

}  // namespace
}  // namespace fxcut
