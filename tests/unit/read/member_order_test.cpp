#include "read/member_order.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "read/read_graph.h"

namespace fxcut {
namespace {

// `second` calls as `first` does, with its keywords in another order; the text is that of its own members.
std::string graph_with(std::string_view second) {
  return std::string(R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 1, "nodes": [
    {"name": "x", "op": "placeholder"}, {"name": "y", "op": "placeholder"},
    {"name": "first", "op": "call_function", "target": "my.op.default",
     "args": [{"node": "x"}, {"dict": {"k": 1, "j": {"node": "y"}}}], "kwargs": {"b": {"node": "y"}, "a": {"node": "x"}}},)") +
         std::string(second) + R"(, {"name": "output", "op": "output", "args": [[{"node": "second"}]]}]})";
}

std::string order_in(std::string_view text, std::string_view name) {
  const JointGraph joint = read_joint_graph(*Document::parse(std::string(text), "graph.json"), "");
  std::string order;
  for (const Node& node : joint.graph.nodes) {
    if (node.name != name) continue;
    for (const std::string& key : node.arguments->positional.at(1).keys) order += key;
    for (const auto& [key, argument] : node.arguments->keyword) order += key;
    for (const NodeId input : node.inputs) order += " " + joint.graph[input].name;
  }
  return order;
}

constexpr std::string_view kKept =
    R"({"name": "second", "op": "call_function", "target": "my.op.default",
        "args": [{"node": "x"}, {"dict": {"j": {"node": "y"}, "k": 1}}], "kwargs": {"a": {"node": "x"}, "b": {"node": "y"}}})";
constexpr std::string_view kShuffled =
    R"({"kwargs": {"a": {"node": "x"}, "b": {"node": "y"}}, "op": "call_function", "name": "second",
        "args": [{"node": "x"}, {"dict": {"j": {"node": "y"}, "k": 1}}], "target": "my.op.default"})";

TEST(MemberOrder, CountsWhereTheFileKeepsIt) {
  EXPECT_EQ(order_in(graph_with(kKept), "first"), "kjba x y y x");
  EXPECT_EQ(order_in(graph_with(kKept), "second"), "jkab x y x y");
}

TEST(MemberOrder, IsThatOfNamesWhereTheFileWasShuffled) {
  EXPECT_EQ(order_in(graph_with(kShuffled), "first"), "jkab x y x y");
  EXPECT_EQ(order_in(graph_with(kShuffled), "second"), "jkab x y x y");
}

}  // namespace
}  // namespace fxcut
