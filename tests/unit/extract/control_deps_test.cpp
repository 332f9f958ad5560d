// control_deps over values of both sides: the part of a call on each side.
#include "extract/control_deps.h"

#include <gtest/gtest.h>

#include <limits>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

// A call over a, b and c whose subgraph is the given one; x is an additional node.
JointGraph call_with(const std::string& body) {
  return joint_graph(subgraphs_line({{"body", body}}) + R"(
    x = placeholder
    a = placeholder : f32[1]
    b = placeholder : f32[2]
    c = placeholder : f32[3]
    body = get_attr body
    call = higher_order.control_deps((x, None), body, a, b, c) : tuple(none, f32[1], f32[2], f32[3])
    return call)");
}

const std::string kInputs = "first = placeholder\nsecond = placeholder\nthird = placeholder\n";
const std::string kNoCall = kInputs + "return None, first, second, third";
const std::string kTakesSecond = kInputs + "done = aten.sin.default(second)\nreturn done, first, second, third";

std::optional<RebuiltControlDeps> rebuilt(const JointGraph& joint, const std::vector<std::string>& at_hand) {
  std::vector<bool> marked(joint.graph.size(), false);
  for (const std::string& name : at_hand) marked[index_of(id_named(joint.graph, name))] = true;
  return rebuild_control_deps(joint, id_named(joint.graph, "call"), marked);
}

// The subgraph of the call on a side that has these nodes.
std::string subgraph_text(const JointGraph& joint, const std::vector<std::string>& at_hand) {
  return text_of(rebuilt_subgraph(joint, id_named(joint.graph, "call"), *rebuilt(joint, at_hand)).graph);
}

TEST(ControlDeps, KeepWhatTheSideHas) {
  const JointGraph joint = call_with(kNoCall);
  const auto some = rebuilt(joint, {"a", "c", "body"});
  ASSERT_TRUE(some);
  EXPECT_EQ(some->deps, std::vector<std::size_t>({0, 2}));
  EXPECT_EQ(some->num_additional, 0u) << "x is not there, and None is no node";
  EXPECT_EQ(some->inputs, std::vector<NodeId>({id_named(joint.graph, "a"), id_named(joint.graph, "c")}));
  const auto with_additional = rebuilt(joint, {"x", "b"});
  ASSERT_TRUE(with_additional);
  EXPECT_EQ(with_additional->num_additional, 1u);
  EXPECT_EQ(with_additional->inputs, std::vector<NodeId>({id_named(joint.graph, "x"), id_named(joint.graph, "b")}));
}

TEST(ControlDeps, AreGoneWhereNoDepIsThere) {
  const JointGraph joint = call_with(kNoCall);
  EXPECT_FALSE(rebuilt(joint, {"x", "body"})) << "though an additional node is";
}

TEST(ControlDeps, ItemsMoveUp) {
  const RebuiltControlDeps kept = {.deps = {0, 2}, .inputs = {}, .num_additional = 0, .keeps_operation = true};
  EXPECT_EQ(kept.new_position(0), 0);
  EXPECT_EQ(kept.new_position(1), 1);
  EXPECT_EQ(kept.new_position(2), std::nullopt) << "its dep is gone";
  EXPECT_EQ(kept.new_position(3), 2);
  EXPECT_EQ(kept.new_position(4), std::nullopt);
  EXPECT_EQ(kept.new_position(-1), std::nullopt);
  EXPECT_EQ(kept.new_position(std::numeric_limits<std::int64_t>::min()), std::nullopt);
}

TEST(ControlDeps, TheResultOfAnOperationThatIsGoneIsGone) {
  const RebuiltControlDeps without = {.deps = {0}, .inputs = {}, .num_additional = 0, .keeps_operation = false};
  EXPECT_EQ(without.new_position(0), std::nullopt);
  EXPECT_EQ(without.new_position(1), 1);
}

TEST(ControlDeps, TheOperationStaysWhereItTakesNothingThatIsMissing) {
  const JointGraph joint = call_with(kTakesSecond);
  EXPECT_TRUE(rebuilt(joint, {"b"})->keeps_operation);
  EXPECT_FALSE(rebuilt(joint, {"a", "c"})->keeps_operation);
  EXPECT_FALSE(rebuilt(call_with(kNoCall), {"a"})->keeps_operation) << "there is none";
}

TEST(ControlDeps, ASubgraphThatRunsLosesThePlaceholdersThatAreMissing) {
  EXPECT_EQ(subgraph_text(call_with(kTakesSecond), {"b", "c"}),
            "second = placeholder\nthird = placeholder\ndone = aten.sin.default(second)\nreturn done, second, third\n");
}

TEST(ControlDeps, ASubgraphThatCannotRunPassesOnWhatItGets) {
  EXPECT_EQ(subgraph_text(call_with(kTakesSecond), {"a", "c"}),
            "dep_0 = placeholder\ndep_1 = placeholder\nreturn None, dep_0, dep_1\n");
}

TEST(ControlDeps, ASubgraphWithConstantsOfItsOwnCannotBeSplit) {
  const JointGraph joint =
      call_with(kInputs + "w = get_attr constant0\ndone = aten.add.Tensor(second, w)\n"
                          "return done, first, second, third");
  try {
    subgraph_text(joint, {"b"});
    FAIL() << "the part would lack constant0";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).message,
              "'call' uses values of the forward and of the backward, so it must be split, but its subgraph refers to "
              "'constant0', which a part of it would lack");
  }
  EXPECT_EQ(subgraph_text(joint, {"a"}), "dep_0 = placeholder\nreturn None, dep_0\n") << "nothing is left to lack it";
}

TEST(ControlDeps, TheValueLosesTheItemsThatAreMissing) {
  const JointGraph joint = call_with(kNoCall);
  std::string json;
  append_value(*rebuilt_value(node_named(joint.graph, "call"), *rebuilt(joint, {"a", "c"})), json);
  std::string expected;
  append_value(*joint_graph("x = placeholder : tuple(none, f32[1], f32[3])\nreturn x").graph.nodes[0].value, expected);
  EXPECT_EQ(json, expected);
}

TEST(ControlDeps, PositionsOfItems) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder
    body = get_attr body
    call = higher_order.control_deps((x,), body, x, None)
    first = operator.getitem(call, 1)
    named = operator.getitem(call, "key")
    return first)");
  EXPECT_EQ(item_position(node_named(joint.graph, "first")), 1);
  EXPECT_EQ(item_position(node_named(joint.graph, "named")), std::nullopt);
  EXPECT_EQ(item_position(node_named(joint.graph, "call")), std::nullopt);
  const Node& call = node_named(joint.graph, "call");
  EXPECT_EQ(dep_at(call, 1), id_named(joint.graph, "x"));
  EXPECT_EQ(dep_at(call, 0), std::nullopt) << "the operation's result";
  EXPECT_EQ(dep_at(call, 2), std::nullopt) << "no node";
  EXPECT_EQ(dep_at(call, 3), std::nullopt);
  EXPECT_EQ(dep_at(call, -1), std::nullopt);
}

TEST(ControlDeps, SynchroniseWhereTheirSubgraphWaitsForStreams) {
  const auto synchronising = [](const std::string& call) {
    const JointGraph joint = call_with(kInputs + "done = " + call + "\nreturn done, first, second, third");
    return synchronises(joint, node_named(joint.graph, "call"));
  };
  for (const std::string operation : {"record_event", "wait_event", "wait_stream", "synchronize_event",
                                      "synchronize_device", "synchronize_stream"}) {
    EXPECT_TRUE(synchronising("streams." + operation + ".default(0, 1)")) << operation;
  }
  EXPECT_FALSE(synchronising("streams.fork.default(0, 1)"));
  EXPECT_FALSE(synchronising("streams.join.default(0, 1)"));
  EXPECT_FALSE(synchronising("aten.sin.default(first)"));
}

TEST(ControlDeps, AreRefusedWithoutASubgraph) {
  const JointGraph joint = joint_graph("a = placeholder\ncall = higher_order.control_deps((), a, a)\nreturn call");
  EXPECT_THROW(rebuilt(joint, {"a"}), Failure);
  EXPECT_THROW(synchronises(joint, joint.graph[id_named(joint.graph, "call")]), Failure);
}

TEST(ControlDeps, NamesOfNewSubgraphsLeaveOutThoseThatAreTaken) {
  const JointGraph plain = joint_graph("x = placeholder\nreturn x");
  using Names = std::vector<std::string>;
  EXPECT_EQ(rebuilt_subgraph_names(plain, 0, 2), (Names{"subgraph_cd_extract", "subgraph_cd_extract_0"}));
  EXPECT_EQ(rebuilt_subgraph_names(plain, 3, 1), Names{"subgraph_cd_extract_2"});
  EXPECT_EQ(rebuilt_subgraph_names(plain, 1, 0), Names{});
  const JointGraph taken = joint_graph(subgraphs_line({{"subgraph_cd_extract_1", "y = placeholder\nreturn y"}}) +
                                       "x = placeholder\nw = get_attr subgraph_cd_extract\nreturn x");
  EXPECT_EQ(rebuilt_subgraph_names(taken, 0, 2), (Names{"subgraph_cd_extract_0", "subgraph_cd_extract_2"}));
}

}  // namespace
}  // namespace fxcut
