// The values that cross from the forward to the backward, and their order.
#include "extract/forward_backward.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

struct Split {
  std::string forward, backward;
};

// The two graphs' inputs and outputs, where `saved` are the values to save.
Split split(std::string_view text, const std::vector<std::string>& saved) {
  const AnalysedGraph graph(text);
  std::vector<NodeId> ids;
  for (const std::string& name : saved) ids.push_back(graph.id(name));
  const ForwardBackward sides = plan_forward_backward(graph.joint, graph.users, graph.roles, ids);
  const auto border = [](const Graph& side) {
    std::string text_of_border;
    for (const Node& node : side.nodes) {
      if (node.is_placeholder()) text_of_border += node.name + " ";
    }
    text_of_border += "->";
    for (const OutputLeaf& leaf : output_leaves(side))
      text_of_border += " " + (leaf.node ? side[*leaf.node].name : "None");
    return text_of_border;
  };
  return {border(extract_graph(graph.joint, sides.forward)),
          border(extract_graph(graph.joint, sides.backward))};
}

TEST(ForwardBackward, SavedValuesFollowTheOutputsAndComeBeforeTheGradients) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4]
    cos = aten.cos.default(sin) : f32[4]
    grad = aten.mul.Tensor(tangents_1, cos) : f32[4]
    more = aten.mul.Tensor(grad, sin) : f32[4]
    return cos | more, None)",
                            {"sin", "cos"});
  EXPECT_EQ(sides.forward, "primals_1 -> cos sin cos");
  EXPECT_EQ(sides.backward, "sin cos tangents_1 -> more None");
}

TEST(ForwardBackward, ValuesTheBackwardDoesNotUseAreDropped) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]
    return sin | grad)",
                            {"primals_1", "sin"});
  EXPECT_EQ(sides.forward, "primals_1 -> sin sin");
  EXPECT_EQ(sides.backward, "sin tangents_1 -> grad");
}

TEST(ForwardBackward, ACollectiveThatOnlyADeadWaitTakesIsDropped) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    all = _c10d_functional.all_reduce.default(primals_1, "sum", "0") : f32[4]
    waited = _c10d_functional.wait_tensor.default(all) : f32[4]
    grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
    return waited | grad)",
                            {"primals_1", "all"});
  EXPECT_EQ(sides.forward, "primals_1 -> waited primals_1");
  EXPECT_EQ(sides.backward, "primals_1 tangents_1 -> grad");
}

TEST(ForwardBackward, ValuesWithoutAVersionCheckComeLast) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4] saved_tensor_with_no_vc_check=true
    primals_2 = placeholder : f32[4]
    primals_3 = placeholder : f32[4] saved_tensor_with_no_vc_check=true
    primals_4 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    loss = my.own.default(primals_1, primals_2, primals_3, primals_4) : f32[4]
    grad = my.own.default(tangents_1, primals_1, primals_2, primals_3, primals_4) : f32[4]
    return loss | grad)",
                            {"primals_1", "primals_2", "primals_3", "primals_4"});
  EXPECT_EQ(sides.forward, "primals_1 primals_2 primals_3 primals_4 -> loss primals_2 primals_4 primals_1 primals_3");
  EXPECT_EQ(sides.backward, "primals_2 primals_4 primals_1 primals_3 tangents_1 -> grad");
}

TEST(ForwardBackward, SymbolsLeaveLastAndArriveFirst) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    length = placeholder : symint(s0=4)
    object = placeholder : opaque
    tangents_1 = placeholder : f32[4]
    bwd_seed_0 = placeholder : i64[]
    bwd_base_offset_0 = placeholder : i64[]
    loss = my.own.default(primals_1, length, object) : f32[4]
    grad = my.own.default(tangents_1, length, object, primals_1, bwd_seed_0, bwd_base_offset_0) : f32[4]
    return loss | grad)",
                            {"length", "primals_1", "object"});
  EXPECT_EQ(sides.forward, "primals_1 length object -> loss primals_1 object length");
  EXPECT_EQ(sides.backward, "length primals_1 object tangents_1 bwd_seed_0 bwd_base_offset_0 -> grad");
}

TEST(ForwardBackward, TheSymbolsOfTheBackwardsSizesAreBound) {
  const Split sides = split(R"(
    primals_1 = placeholder : symint(s0=4)
    primals_2 = placeholder : f32[s0=4]
    tangents_1 = placeholder : f32[s0=4]
    loss = aten.sin.default(primals_2) : f32[s0=4]
    grad = aten.mul.Tensor(tangents_1, primals_2) : f32[s0=4]
    return loss | grad)",
                            {"primals_2"});
  EXPECT_EQ(sides.forward, "primals_1 primals_2 -> loss primals_2 primals_1");
  EXPECT_EQ(sides.backward, "primals_1 primals_2 tangents_1 -> grad");
}

TEST(ForwardBackward, BooleansThatAreOnlyAssertedDoNotCross) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    checked = my.check.default(primals_1) : symbool(u0 > 3)
    assertion = aten._assert_scalar.default(checked, "message")
    grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
    return primals_1 | grad)",
                            {"primals_1", "checked"});
  EXPECT_EQ(sides.forward, "primals_1 -> primals_1 primals_1");
  EXPECT_EQ(sides.backward, "primals_1 tangents_1 -> grad");
}

TEST(ForwardBackward, InputsOfADeadWaitDoNotCross) {
  // A wait stays on its side for its effect, but its unused result is no reason to save.
  const auto text = [](const std::string& wait) {
    return "primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n"
           "dead = _c10d_functional." + wait + ".default(primals_1) : f32[4] partitioner_tag=is_backward\n"
           "grad = aten.neg.default(tangents_1) : f32[4]\nreturn primals_1 | grad";
  };
  EXPECT_EQ(split(text("wait_tensor"), {"primals_1"}).forward, "primals_1 -> primals_1");
  EXPECT_EQ(split(made_by(Release{15}) + text("wait_tensors"), {"primals_1"}).forward, "primals_1 -> primals_1");
}

TEST(ForwardBackward, SubgraphsOfControlDepsAreCountedOverAllExtractions) {
  const AnalysedGraph graph(subgraphs_line({{"body", "d0 = placeholder\nd1 = placeholder\nreturn None, d0, d1"}}) + R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    g = aten.neg.default(tangents_1) : f32[4]
    body = get_attr body
    call = higher_order.control_deps((a,), body, a, g) : tuple(none, f32[4], f32[4])
    a_on = operator.getitem(call, 1) : f32[4]
    g_on = operator.getitem(call, 2) : f32[4]
    return a_on | g_on)");
  EXPECT_EQ(graph.roles.rebuilt_control_deps, 1u) << "to find out what the forward needs";
  const ForwardBackward sides =
      plan_forward_backward(graph.joint, graph.users, graph.roles, {graph.id("primals_1")});
  EXPECT_EQ(sides.rebuilt_before_forward, 1u) << "the backward has all that the call takes";
  EXPECT_EQ(sides.rebuilt_before_backward, 2u);
  const auto names = [](const auto& subgraphs) {
    std::string all;
    for (const auto& [name, subgraph] : subgraphs) all += name + " ";
    return all;
  };
  EXPECT_EQ(names(rebuilt_subgraphs(graph.joint, sides.forward, sides.rebuilt_before_forward)),
            "subgraph_cd_extract_0 ");
  EXPECT_EQ(names(rebuilt_subgraphs(graph.joint, sides.backward, sides.rebuilt_before_backward)), "");
}

TEST(ForwardBackward, TheBackwardStateIsPassedOnLastAndIsNoSavedValue) {
  const Split sides = split(R"(
    primals_1 = placeholder : f32[4]
    state = placeholder : backward_state
    tangents_1 = placeholder : f32[4]
    loss = aten.sin.default(primals_1) : f32[4]
    grad = my.hook.default(tangents_1, primals_1, state) : f32[4]
    return loss | grad)",
                            {"primals_1", "state"});
  EXPECT_EQ(sides.forward, "primals_1 state -> loss primals_1");
  EXPECT_EQ(sides.backward, "primals_1 tangents_1 state -> grad");
}

// From a placeholder with two roles PyTorch makes two parameters of one name, which Python refuses.
TEST(ForwardBackward, AnInputOfTheBackwardHasOneRole) {
  const auto refusal = [](const std::string& input) {
    try {
      split("primals_1 = placeholder : f32[4]\nx = placeholder " + input +
                "\nloss = aten.sin.default(primals_1) : f32[4]\n"
                "grad = aten.mul.Tensor(x, primals_1) : f32[4]\nreturn loss | grad",
            {"primals_1"});
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
      return failure.diagnostics().front().message;
    }
    return std::string();
  };
  const std::string twice = "'x' would be two inputs of the backward with the same name: it is ";
  EXPECT_EQ(refusal("tangents_1 : backward_state"), twice + "a gradient and a backward state");
  EXPECT_EQ(refusal("tangents_bwd_seed : f32[4]"), twice + "a gradient and a seed of the backward");
  EXPECT_EQ(refusal("bwd_seed_0 : backward_state"), twice + "a seed of the backward and a backward state");
  EXPECT_EQ(refusal("tangents_bwd_seed : backward_state"),
            twice + "a gradient and a seed of the backward and a backward state");
  EXPECT_EQ(refusal("tangents_1 : f32[4]"), "");
}

}  // namespace
}  // namespace fxcut
