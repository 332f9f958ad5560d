// Graphs as JSON: what was read comes back byte for byte, one node a line.
#include "write/graph_json.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

std::string written(const std::string& text, std::string_view side = "forward") {
  const auto document = Document::parse(text, "g.json");
  const JointGraph joint = read_joint_graph(*document);
  return graph_json(joint.graph, joint.subgraphs, side, *document);
}

// A graph that is written, as the joint graph that the reader takes.
std::string as_joint(std::string text) {
  const std::string form = "\"fx-graph\"";
  return text.replace(text.find(form), form.size(), "\"fx-joint-graph\"");
}

std::string with_node(const std::string& node) {
  return R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 0, "nodes": [
{"name": "x", "op": "placeholder", "target": "x"},
)" + node +
         R"(,
{"name": "output", "op": "output", "target": "output", "args": [[]]}]})";
}

TEST(GraphJson, OneNodeALine) {
  EXPECT_EQ(written(R"({"format": "fx-joint-graph", "version": 1, "name": "n", "num_fwd_outputs": 1,
                        "nodes": [{"name": "x", "op": "placeholder", "target": "x", "val": {"kind": "none"}},
                                  {"name": "w", "op": "get_attr", "target": "weight", "mine": 1.50},
                                  {"name": "y", "op": "call_function", "target": "a.b",
                                   "args": [{"node": "x"}], "kwargs": {"k": 1}},
                                  {"name": "output", "op": "output", "target": "output",
                                   "args": [[{"node": "y"}]]}]})"),
            R"({"format":"fx-graph","version":1,"side":"forward","name":"n","num_fwd_outputs":1,
"nodes":[
{"name":"x","op":"placeholder","target":"x","val":{"kind":"none"}},
{"name":"w","op":"get_attr","target":"weight","mine":1.50},
{"name":"y","op":"call_function","target":"a.b","args":[{"node":"x"}],"kwargs":{"k":1}},
{"name":"output","op":"output","target":"output","args":[[{"node":"y"}]]}
]}
)");
}

TEST(GraphJson, TheCountOfForwardOutputsIsTheForwards) {
  const std::string text = joint_json("x = placeholder\nreturn x");
  EXPECT_NE(written(text, "forward").find("\"num_fwd_outputs\":1"), std::string::npos);
  EXPECT_EQ(written(text, "backward").find("num_fwd_outputs"), std::string::npos);
  EXPECT_NE(written(text, "backward").find("\"side\":\"backward\""), std::string::npos);
}

TEST(GraphJson, ASideListsStaticInputsThatWerePutRight) {
  // Without a mesh the list is used unchanged; the second of the two inputs before unwrapping is p3.
  const std::string inputs = "p1 = placeholder : f32[4] static\np2 = placeholder : opaque";
  const std::string rest = "\np3 = placeholder : f32[4]\ny = aten.add.Tensor(p1, p3) : f32[4]\nreturn y";
  EXPECT_NE(written(joint_json(inputs + " static" + rest)).find(R"("static_lifetime_inputs":["p1","p3"])"), std::string::npos);
  EXPECT_NE(written(joint_json(inputs + rest)).find(R"("static_lifetime_inputs":["p1"])"), std::string::npos);
}

class ArgumentRoundTrip : public ::testing::TestWithParam<std::string_view> {};

TEST_P(ArgumentRoundTrip, GivesTheSameBytes) {
  const std::string node = R"({"name":"y","op":"call_function","target":"my.op.default","args":[)" +
                           std::string(GetParam()) + R"(],"kwargs":{"key":)" + std::string(GetParam()) + "}}";
  const std::string once = written(with_node(node));
  EXPECT_NE(once.find("\n" + node + ",\n"), std::string::npos) << once;
  EXPECT_EQ(written(as_joint(once)), once);
}

INSTANTIATE_TEST_SUITE_P(
    EachForm, ArgumentRoundTrip,
    ::testing::Values("null", "true", "false", "0", "-7", "9223372036854775807", "-9223372036854775808",
                      "18446744073709551616", "-123456789012345678901234567890", "1.0", "-0.0", "0.1", "1e-07",
                      "1e+300", "5e-324", "1.7976931348623157e+308", "\"\"",
                      "\"text with \\\"quotes\\\", \\\\ and \\n\"", "\"\u00e9\U0001f600\"", "[]", "[1,[2,[]]]",
                      R"({"tuple":[]})", R"({"tuple":[1,{"tuple":[2]}]})", R"({"slice":[0,null,{"node":"x"}]})",
                      R"({"dict":{}})", R"({"dict":{"b":1,"a":{"node":"x"}}})", R"({"dtype":"float32"})",
                      R"({"device":"cuda:0"})", R"({"layout":"strided"})", R"({"memory_format":"contiguous_format"})",
                      R"({"op":"aten.mm.default"})", R"({"float":"inf"})", R"({"float":"-inf"})", R"({"float":"nan"})",
                      R"({"complex":[1.0,-2.5]})", R"({"sym":{"expr":"2*s0","hint":8,"symbols":["s0"]}})",
                      R"({"sym":4})", R"({"opaque":"Stream"})", R"({"node":"x"})"));

TEST(GraphJson, UnknownKeysAreCarriedAlong) {
  const std::string node =
      R"({"name":"y","op":"call_function","target":"a.b","args":[],"val":{"kind":"scalar","value":3},)"
      R"("meta":{"recompute":"MUST_SAVE","custom":{"deep":[1,{"x":null}]}},"mine":"text"})";
  EXPECT_NE(written(with_node(node)).find("\n" + node + ",\n"), std::string::npos);
  EXPECT_NE(
      written(R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 0, "extra": [1, {"a": 2}], "symbols": {},
                        "nodes": [{"name": "output", "op": "output", "args": [[]]}]})")
          .find("\"extra\":[1,{\"a\":2}],\"symbols\":{}"),
      std::string::npos);
}

TEST(GraphJson, SubgraphsAndAttributesThatAreReferredToAreWritten) {
  const std::string subgraph =
      R"({"nodes": [{"name": "g", "op": "get_attr", "target": "inner_c"},
              {"name": "output", "op": "output", "target": "output", "args": [[]]}],
    "attributes": {"inner_c": {"kind": "none"}, "inner_unused": {"kind": "none"}}, "note": "kept"})";
  const std::string text = R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 0,
    "attributes": {"c": {"kind": "scalar", "value": 1}, "unused": {"kind": "none"}},
    "subgraphs": {"body": )" +
                           subgraph +
                           R"(, "unused_body": {"nodes": [{"name": "output", "op": "output", "args": [[]]}]}},
    "nodes": [{"name": "c", "op": "get_attr", "target": "c"}, {"name": "b", "op": "get_attr", "target": "body"},
              {"name": "output", "op": "output", "target": "output", "args": [[{"node": "c"}, {"node": "b"}]]}]})";
  const std::string once = written(text);
  EXPECT_NE(once.find(R"(,
"attributes":{"c":{"kind":"scalar","value":1}},
"subgraphs":{
"body":{"nodes":[
{"name":"g","op":"get_attr","target":"inner_c"},
{"name":"output","op":"output","target":"output","args":[[]]}
],
"attributes":{"inner_c":{"kind":"none"}},"note":"kept"}
}}
)"),
            std::string::npos)
      << once;
  EXPECT_EQ(written(as_joint(once)), once);
}

}  // namespace
}  // namespace fxcut
