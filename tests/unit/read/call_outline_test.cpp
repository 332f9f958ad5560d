// Calls that share their arguments.
#include "read/call_outline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "diagnostic/diagnostic.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

JointGraph graph_of_calls(const std::string& first, const std::string& second) {
  constexpr const char* kGraph = R"({{"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 1, "nodes": [
    {{"name": "x", "op": "placeholder"}}, {{"name": "y", "op": "placeholder"}},
    {{"name": "f", "op": "call_function", "target": "aten.mul.Tensor", {}}},
    {{"name": "g", "op": "call_function", "target": "aten.mul.Tensor", {}}},
    {{"name": "output", "op": "output", "args": [[{{"node": "g"}}]]}}]}})";
  return read_joint_graph(*Document::parse(fmt::format(kGraph, first, second), "g.json"));
}

bool share(const std::string& first, const std::string& second) {
  const JointGraph joint = graph_of_calls(first, second);
  return joint.graph.nodes[2].arguments == joint.graph.nodes[3].arguments;
}

TEST(CallOutline, CallsThatDifferInTheirNodesShareTheirArguments) {
  const JointGraph joint = graph_of_calls(R"("args": [{"node": "x"}, [{"tuple": [1, {"node": "y"}]}]])",
                                          R"("args": [ {"node": "f"}, [{"tuple": [1, {"node": "x"}]}]])");
  const Node &f = joint.graph.nodes[2], &g = joint.graph.nodes[3];
  EXPECT_EQ(f.arguments, g.arguments);
  EXPECT_EQ(f.inputs, (std::vector<NodeId>{node_id(0), node_id(1)}));
  EXPECT_EQ(g.inputs, (std::vector<NodeId>{node_id(2), node_id(0)}));
  EXPECT_TRUE(share(R"("kwargs": {"out": {"node": "x"}})", R"("kwargs": {"out": {"node": "f"}})"));
}

TEST(CallOutline, CallsThatDifferOtherwiseDoNot) {
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {R"("args": [1])", R"("args": [1.0])"},
           {R"("args": [1])", R"("args": ["1"])"},
           {R"("args": ["N"])", R"("args": [{"node": "x"}])"},
           {R"("args": [[{"node": "x"}]])", R"("args": [{"tuple": [{"node": "x"}]}])"},
           {R"("args": [{"tuple": [1, 2, 3]}])", R"("args": [{"slice": [1, 2, 3]}])"},
           {R"("args": [{"dict": {"node": "x"}}])", R"("args": [{"dict": {"node": "f"}}])"},
           {R"("args": [{"dict": {"a": {"node": "x"}}}])", R"("args": [{"dict": {"b": {"node": "x"}}}])"},
           {R"("args": [{"dtype": "float32"}])", R"("args": [{"device": "float32"}])"},
           {R"("args": [1, 2])", R"("args": [[1, 2]])"},
           {R"("args": [1, 2])", R"("args": [12])"},
           {R"("args": [])", R"("kwargs": {})"},
           {R"("args": [], "kwargs": {"a": 1})", R"("args": [], "kwargs": {"b": 1})"}}) {
    EXPECT_FALSE(share(first, second)) << first << " and " << second;
  }
}

TEST(CallOutline, AReferenceIsCheckedWhateverCallIsAlikeBefore) {
  for (const std::string name : {"nobody", "g", "output"}) {
    EXPECT_THROW(share(R"("args": [{"node": "x"}])", fmt::format(R"("args": [{{"node": "{}"}}])", name)), Failure)
        << name;
  }
}

}  // namespace
}  // namespace fxcut
