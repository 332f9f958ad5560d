// A graph that breaks an invariant is caught, and the message says where.
#include "graph/invariants.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/passes.h"

namespace fxcut {
namespace {

JointGraph step() {
  return joint_graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]
    return sin | grad)");
}

std::string broken(const std::function<void(Graph&)>& damage) {
  Graph graph = step().graph;
  damage(graph);
  try {
    check_invariants("normalise", graph);
    return "nothing";
  } catch (const InternalError& error) {
    return error.what();
  }
}

TEST(Invariants, HoldOfWhatWasRead) { EXPECT_EQ(broken([](Graph&) {}), "nothing"); }

TEST(Invariants, NamesAreUnique) {
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[3].name = "sin"; }),
            "after the pass 'normalise': sin is the name of two nodes");
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[3].name.clear(); }), "after the pass 'normalise': a node has no name");
}

TEST(Invariants, NodesTakeWhatStandsBeforeThem) {
  EXPECT_EQ(broken([](Graph& graph) { std::swap(graph.nodes[2], graph.nodes[3]); }),
            "after the pass 'normalise': grad uses a node that is not before it");
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[2].inputs[0] = node_id(77); }),
            "after the pass 'normalise': sin takes a node that does not exist");
}

TEST(Invariants, InputsAreTheReferencesOfTheArguments) {
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[2].inputs.push_back(node_id(0)); }),
            "after the pass 'normalise': sin has an input that no argument refers to");
  EXPECT_EQ(broken([](Graph& graph) {
              Arguments arguments = *graph.nodes[3].arguments;
              arguments.positional[1].index = 0;
              graph.nodes[3].arguments = std::make_shared<const Arguments>(std::move(arguments));
            }),
            "after the pass 'normalise': grad has two arguments that refer to one input");
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[3].inputs.pop_back(); }),
            "after the pass 'normalise': grad has an argument that refers to no input");
}

TEST(Invariants, TheOutputIsLastAndAlone) {
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes.pop_back(); }),
            "after the pass 'normalise': the graph does not end in an output");
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[3].opcode = Opcode::Output; }),
            "after the pass 'normalise': grad is an output that is not the last node");
}

TEST(Invariants, ACallCallsSomething) {
  EXPECT_EQ(broken([](Graph& graph) { graph.nodes[2].callee = nullptr; }),
            "after the pass 'normalise': sin is a call of nothing");
}

TEST(Invariants, AreCheckedBetweenThePassesOfTheTests) {
  Graph graph = step().graph;
  graph.nodes[3].name = "sin";
  EXPECT_THROW(check_pass("normalise", graph), InternalError);
}

}  // namespace
}  // namespace fxcut
