// The verifier of single graphs finds what is wrong with one that was sound.
#include "verify_graph.h"

#include <gtest/gtest.h>

#include "sound_partition.h"

namespace fxcut {
namespace {

using Problems = std::vector<std::string>;

class VerifyGraph : public testing::Test {
 protected:
  Problems problems() const { return verify_graph("side", graph_); }
  Json& subgraph() { return graph_["subgraphs"]["record"]; }

  // A value and a constant go through a control_deps.
  Json graph_ = Json::parse(R"({
    "nodes": [
      {"name": "x", "op": "placeholder", "target": "x"},
      {"name": "constant", "op": "get_attr", "target": "constant"},
      {"name": "record", "op": "get_attr", "target": "record"},
      {"name": "call", "op": "call_function", "target": "higher_order.control_deps",
       "args": [{"tuple": [{"node": "x"}]}, {"node": "record"}, {"node": "x"}, {"node": "constant"}]},
      {"name": "item", "op": "call_function", "target": "operator.getitem", "args": [{"node": "call"}, 2]},
      {"name": "output", "op": "output", "target": "output", "args": [{"tuple": [{"node": "item"}]}]}],
    "attributes": {"constant": {"kind": "tensor", "dtype": "float32", "shape": [2], "stride": [1], "device": "cpu"}},
    "subgraphs": {"record": {"nodes": [
      {"name": "dep_0", "op": "placeholder", "target": "dep_0"},
      {"name": "dep_1", "op": "placeholder", "target": "dep_1"},
      {"name": "record_event", "op": "call_function", "target": "streams.record_event.default", "args": [0, 1]},
      {"name": "output", "op": "output", "target": "output",
       "args": [{"tuple": [{"node": "record_event"}, {"node": "dep_0"}, {"node": "dep_1"}]}]}]}}})");
};

TEST_F(VerifyGraph, HasNothingToSayOfASoundOne) { EXPECT_EQ(problems(), Problems()); }

TEST_F(VerifyGraph, FindsALaterNodeDeepInKeywordArguments) {
  node_named(graph_, "call")["kwargs"] = {{"like", {{"tuple", {1, {{"node", "item"}}}}}}};
  EXPECT_EQ(problems(), Problems{"side: call takes item, which is no earlier node"});
}

TEST_F(VerifyGraph, FindsANameThatStandsTwice) {
  node_named(graph_, "constant")["name"] = "x";
  EXPECT_TRUE(one_begins(problems(), "side: the name x stands twice"));
}

TEST_F(VerifyGraph, FindsNodesBehindTheOutput) {
  Json& nodes = graph_["nodes"];
  nodes.push_back(nodes.front());
  nodes.back()["name"] = "late";
  EXPECT_EQ(problems(), (Problems{"side: late stands behind the output", "side: the last node is no output"}));
}

TEST_F(VerifyGraph, FindsAnAttributeThatIsMissing) {
  graph_["attributes"].erase("constant");
  EXPECT_EQ(problems(), Problems{"side: there is no attribute constant"});
}

TEST_F(VerifyGraph, FindsASubgraphThatNothingRefersTo) {
  graph_["subgraphs"]["left_over"] = subgraph();
  EXPECT_EQ(problems(), Problems{"side: nothing refers to the subgraph left_over"});
}

TEST_F(VerifyGraph, FindsWhatIsWrongInASubgraph) {
  node_named(subgraph(), "record_event")["args"] = {{{"node", "dep_2"}}};
  EXPECT_EQ(problems(), Problems{"side: record: record_event takes dep_2, which is no earlier node"});
}

TEST_F(VerifyGraph, FindsAControlDepsWithoutItsSubgraph) {
  graph_.erase("subgraphs");
  EXPECT_EQ(problems(), (Problems{"side: there is no attribute record", "side: call has no subgraph"}));
}

TEST_F(VerifyGraph, FindsAControlDepsThatHandsOverTooLittle) {
  node_named(graph_, "call")["args"].erase(3);
  EXPECT_EQ(problems(), Problems{"side: call hands over 1 values, its subgraph takes 2"});
}

TEST_F(VerifyGraph, FindsAnItemThatASubgraphDoesNotReturn) {
  node_named(graph_, "item")["args"][1] = 3;
  EXPECT_EQ(problems(), Problems{"side: item takes item 3 of call, which has 3"});
}

}  // namespace
}  // namespace fxcut
