// Graphs that nodes are added to.
#include "graph/editing.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

const Graph& line() {
  static const Graph graph = joint_graph("a = placeholder\nb = aten.sin.default(a)\nreturn b").graph;
  return graph;
}

// A node like `b` that takes `input`.
Node another(NodeId input, std::string name) {
  Node node = line().nodes[1];
  node.name = std::move(name);
  node.inputs = {input};
  return node;
}

TEST(Editing, AddsNodesWhereTheyBelong) {
  Editing editing(line());
  const NodeId behind = editing.add_after(node_id(0), another(node_id(0), "behind"));
  editing.add_before(editing.output, another(behind, "last"));
  EXPECT_EQ(text_of(editing.take()),
            "a = placeholder\n"
            "behind = aten.sin.default(a)\n"
            "b = aten.sin.default(a)\n"
            "last = aten.sin.default(behind)\n"
            "return b\n");
}

TEST(Editing, ALaterInsertionBehindANodeStandsNearerToIt) {
  Editing editing(line());
  editing.add_after(node_id(0), another(node_id(0), "first"));
  editing.add_after(node_id(0), another(node_id(0), "second"));
  EXPECT_EQ(names_of(editing.take()), "a second first b output");
}

TEST(Editing, OldNodesCanTakeNewOnes) {
  Editing editing(line());
  const NodeId between = editing.add_after(node_id(0), another(node_id(0), "between"));
  editing.graph.nodes[1].inputs = {between};
  EXPECT_EQ(text_of(editing.take()), "a = placeholder\nbetween = aten.sin.default(a)\nb = aten.sin.default(between)\n"
                                     "return b\n");
}

}  // namespace
}  // namespace fxcut
