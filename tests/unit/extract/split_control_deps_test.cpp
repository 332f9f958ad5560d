// control_deps in whole partitions: rebuilt, seen through, copied.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

struct Sides {
  std::string forward, backward, subgraphs;
};

Sides split(const std::string& text) {
  const Partition result = partition(joint_graph(text), {});
  Sides sides = {text_of(result.graphs.forward), text_of(result.graphs.backward), ""};
  for (const auto& [name, subgraph] : result.subgraphs) {
    sides.subgraphs += fmt::format("{}: {}\n", name, names_of(subgraph.graph));
  }
  return sides;
}

// A call over a value of the forward and a gradient, followed by `words`.
std::string mixed(const std::string& body, const std::string& words = "") {
  return subgraphs_line({{"body", "d0 = placeholder\nd1 = placeholder\n" + body}}) + R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.mm.default(primals_1, primals_1) : f32[4]
    g = aten.neg.default(tangents_1) : f32[4]
    body = get_attr body
    call = higher_order.control_deps((g,), body, a, g) : tuple(none, f32[4], f32[4]))" + words + R"(
    a_on = operator.getitem(call, 1) : f32[4]
    g_on = operator.getitem(call, 2) : f32[4]
    loss = aten.exp.default(a_on) : f32[4]
    grad = aten.mul.Tensor(g_on, primals_1) : f32[4]
    return loss | grad)";
}

TEST(SplitControlDeps, TheForwardGetsACallOverItsOwnValues) {
  const Sides sides = split(mixed("return None, d0, d1"));
  EXPECT_EQ(sides.forward,
            "primals_1 = placeholder\n"
            "a = aten.mm.default(primals_1, primals_1)\n"
            "subgraph_cd_extract_0 = get_attr subgraph_cd_extract_0\n"
            "call = higher_order.control_deps((), subgraph_cd_extract_0, a)\n"
            "a_on = operator.getitem(call, 1)\n"
            "loss = aten.exp.default(a_on)\n"
            "return loss, primals_1, a\n");
  EXPECT_EQ(sides.backward,
            "primals_1 = placeholder\n"
            "a = placeholder\n"
            "tangents_1 = placeholder\n"
            "g = aten.neg.default(tangents_1)\n"
            "body = get_attr body\n"
            "call = higher_order.control_deps((g), body, a, g)\n"
            "g_on = operator.getitem(call, 2)\n"
            "grad = aten.mul.Tensor(g_on, primals_1)\n"
            "return grad\n");
  EXPECT_EQ(sides.subgraphs, "body: d0 d1 output\nsubgraph_cd_extract_0: dep_0 output\n");
}

TEST(SplitControlDeps, TheBackwardDoesWithoutACallThatSynchronisesTheForward) {
  const Sides sides = split(mixed("done = streams.wait_stream.default(0, 1)\nreturn done, d0, d1"));
  EXPECT_EQ(sides.backward,
            "primals_1 = placeholder\n"
            "tangents_1 = placeholder\n"
            "g = aten.neg.default(tangents_1)\n"
            "grad = aten.mul.Tensor(g, primals_1)\n"
            "return grad\n")
      << "the item is what it would have passed on";
  EXPECT_EQ(sides.subgraphs, "body: d0 d1 done output\nsubgraph_cd_extract_0: d0 done output\n");
}

TEST(SplitControlDeps, ACallOfTheBackwardSynchronisesThere) {
  const std::string body = "done = streams.wait_stream.default(0, 1)\nreturn done, d0, d1";
  EXPECT_NE(split(mixed(body, " partitioner_tag=is_backward")).backward.find("call = higher_order.control_deps"),
            std::string::npos);
}

TEST(SplitControlDeps, ItemsGetTheirNewPositions) {
  const std::string text = subgraphs_line({{"body", "d0 = placeholder\nd1 = placeholder\nreturn None, d0, d1"}}) + R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    body = get_attr body
    call = higher_order.control_deps((primals_1,), body, tangents_1, primals_1) : tuple(none, f32[4], f32[4])
    on = operator.getitem(call, 2) : f32[4]
    loss = aten.exp.default(on) : f32[4]
    grad = operator.getitem(call, 1) : f32[4]
    return loss | grad)";
  const std::string forward = split(text).forward;
  EXPECT_NE(forward.find("on = operator.getitem(call, 1)\n"), std::string::npos) << forward;
  EXPECT_NE(forward.find("call = higher_order.control_deps((primals_1), subgraph_cd_extract_0, primals_1)\n"),
            std::string::npos)
      << forward;
}

TEST(SplitControlDeps, Before2_15AValueOfBothSidesIsOfTheBackward) {
  try {
    split(made_by(Release{13}) + mixed("return None, d0, d1"));
    FAIL() << "the forward needs an item";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.diagnostics().at(0).message,
              "'loss' is an output of the forward, but it depends on 'tangents_1', which only the backward has");
  }
}

TEST(SplitControlDeps, AnItemThatNeitherSideHasIsNamed) {
  const std::string body = "d0 = placeholder\nd1 = placeholder\ndone = aten.mul.Tensor(d0, d1)\nreturn done, d0, d1";
  const std::string text = subgraphs_line({{"body", body}}) + R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    body = get_attr body
    call = higher_order.control_deps((primals_1,), body, tangents_1, primals_1) : tuple(f32[4], f32[4], f32[4])
    done = operator.getitem(call, 0) : f32[4]
    return done | done)";
  try {
    split(text);
    FAIL() << "the operation takes a gradient";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_TRUE(failure.diagnostics().at(0).message.starts_with("'done' is an output of the forward, but it depends "
                                                                "on '"))
        << failure.what();
  }
}

}  // namespace
}  // namespace fxcut
