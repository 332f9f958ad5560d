// Each form of an argument.
#include "read/read_argument.h"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnostic/diagnostic.h"
#include "read/read_graph.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

std::string document_with(std::string_view argument) {
  return R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 1, "nodes": [
{"name": "x", "op": "placeholder"},
{"name": "y", "op": "placeholder"},
{"name": "call", "op": "call_function", "target": "my.op.default", "args": [)" +
         std::string(argument) + R"(]},
{"name": "output", "op": "output", "args": [[{"node": "call"}]]}]})";
}

struct ReadGraph {
  JointGraph joint;
  const Argument& argument() const { return joint.graph.nodes[2].arguments->positional.at(0); }
  const Node& call() const { return joint.graph.nodes[2]; }
};

ReadGraph read_graph_with(std::string_view argument) {
  return {read_joint_graph(*Document::parse(document_with(argument), "g.json"))};
}

std::string refusal_of_argument(std::string_view argument) {
  try {
    read_graph_with(argument);
    return "";
  } catch (const Failure& failure) {
    return without_excerpts(failure);
  }
}

TEST(ReadArgument, Constants) {
  EXPECT_EQ(read_graph_with("null").argument().kind, Kind::None);
  EXPECT_EQ(read_graph_with("true").argument().kind, Kind::Bool);
  EXPECT_EQ(read_graph_with("true").argument().integer, 1);
  EXPECT_EQ(read_graph_with("-7").argument().kind, Kind::Int);
  EXPECT_EQ(read_graph_with("-7").argument().integer, -7);
  EXPECT_EQ(read_graph_with("18446744073709551616").argument().kind, Kind::BigInt);
  EXPECT_EQ(read_graph_with("18446744073709551616").argument().text, "18446744073709551616");
  EXPECT_EQ(read_graph_with("1.0").argument().kind, Kind::Float);
  EXPECT_EQ(read_graph_with("1.0").argument().real, 1.0);
  EXPECT_EQ(read_graph_with("\"sum\"").argument().kind, Kind::String);
  EXPECT_EQ(read_graph_with("\"sum\"").argument().text, "sum");
}

TEST(ReadArgument, NumbersThatJsonLacks) {
  EXPECT_EQ(read_graph_with(R"({"float": "inf"})").argument().real, INFINITY);
  EXPECT_EQ(read_graph_with(R"({"float": "-inf"})").argument().real, -INFINITY);
  EXPECT_TRUE(std::isnan(read_graph_with(R"({"float": "nan"})").argument().real));
  const ReadGraph complex = read_graph_with(R"({"complex": [1, -2.5]})");
  EXPECT_EQ(complex.argument().kind, Kind::Complex);
  EXPECT_EQ(complex.argument().real, 1);
  EXPECT_EQ(complex.argument().imaginary, -2.5);
}

TEST(ReadArgument, ReferencesAreHolesInTheOrderOfTheirUse) {
  const ReadGraph result =
      read_graph_with(R"([{"node": "y"}, {"dict": {"k": {"node": "x"}}}, {"slice": [{"node": "y"}, null, 1]}])");
  ASSERT_EQ(result.call().inputs.size(), 3u);
  EXPECT_EQ(index_of(result.call().inputs[0]), 1u);
  EXPECT_EQ(index_of(result.call().inputs[1]), 0u);
  EXPECT_EQ(index_of(result.call().inputs[2]), 1u);
  EXPECT_EQ(result.argument().items[0].index, 0u);
  EXPECT_EQ(result.argument().items[1].items[0].index, 1u);
  EXPECT_EQ(result.argument().items[2].items[0].index, 2u);
}

TEST(ReadArgument, Containers) {
  EXPECT_EQ(read_graph_with("[1, [2]]").argument().kind, Kind::List);
  EXPECT_EQ(read_graph_with("[1, [2]]").argument().items[1].kind, Kind::List);
  EXPECT_EQ(read_graph_with(R"({"tuple": [1, 2]})").argument().kind, Kind::Tuple);
  EXPECT_EQ(read_graph_with(R"({"tuple": []})").argument().items.size(), 0u);
  EXPECT_EQ(read_graph_with(R"({"slice": [0, null, 2]})").argument().kind, Kind::Slice);
  const ReadGraph dict = read_graph_with(R"({"dict": {"b": 1, "a": 2}})");
  EXPECT_EQ(dict.argument().kind, Kind::Dict);
  EXPECT_EQ(dict.argument().keys, std::vector<std::string>({"b", "a"}));
}

TEST(ReadArgument, NamedThings) {
  EXPECT_EQ(read_graph_with(R"({"dtype": "float32"})").argument().kind, Kind::Dtype);
  EXPECT_EQ(read_graph_with(R"({"device": "cuda:0"})").argument().kind, Kind::Device);
  EXPECT_EQ(read_graph_with(R"({"layout": "strided"})").argument().kind, Kind::Layout);
  EXPECT_EQ(read_graph_with(R"({"memory_format": "contiguous_format"})").argument().kind, Kind::MemoryFormat);
  EXPECT_EQ(read_graph_with(R"({"opaque": "Stream"})").argument().kind, Kind::Opaque);
  EXPECT_EQ(read_graph_with(R"({"opaque": "Stream"})").argument().text, "Stream");
  const ReadGraph op = read_graph_with(R"({"op": "aten.mm.default"})");
  EXPECT_EQ(op.argument().kind, Kind::Operator);
  ASSERT_NE(op.argument().callee, nullptr);
  EXPECT_EQ(op.argument().callee->packet, "aten.mm");
}

TEST(ReadArgument, SymbolicSizesKeepTheirText) {
  EXPECT_EQ(read_graph_with(R"({"sym": {"expr": "2*s0", "hint": 8, "symbols": ["s0"]}})").argument().text,
            R"({"expr":"2*s0","hint":8,"symbols":["s0"]})");
  EXPECT_EQ(read_graph_with(R"({"sym": 4})").argument().kind, Kind::Symbolic);
}

TEST(ReadArgument, KeywordsInTheirOrder) {
  const JointGraph joint = read_joint_graph(*Document::parse(
      R"({"format": "fx-joint-graph", "version": 1, "num_fwd_outputs": 0, "nodes": [
         {"name": "c", "op": "call_function", "target": "my.op.default", "kwargs": {"b": 1, "a": 2}},
         {"name": "output", "op": "output", "args": [[]]}]})",
      "g.json"));
  const auto& keyword = joint.graph.nodes[0].arguments->keyword;
  ASSERT_EQ(keyword.size(), 2u);
  EXPECT_EQ(keyword[0].first, "b");
  EXPECT_EQ(joint.graph.nodes[0].arguments->find("a")->integer, 2);
  EXPECT_EQ(joint.graph.nodes[0].arguments->find("c"), nullptr);
}

TEST(ReadArgument, UnknownFormsAreRefused) {
  EXPECT_EQ(refusal_of_argument(R"({"nod": "x"})"),
            "fxcut: g.json:4:78: /nodes/2/args/0/nod (node 'call'): error: unknown kind of argument 'nod'\n  did you mean "
            "'node'?");
  for (const std::string_view braces : {"{}", R"({"node": "x", "dtype": "float32"})"}) {
    EXPECT_NE(refusal_of_argument(braces).find("expected one key in braces"), std::string::npos) << braces;
  }
}

TEST(ReadArgument, ReferencesToWhatIsNotThereAreRefused) {
  EXPECT_EQ(refusal_of_argument(R"({"node": "xx"})"),
            "fxcut: g.json:4:86: /nodes/2/args/0/node (node 'call'): error: unknown node 'xx'\n  did you mean 'x'?");
  EXPECT_NE(refusal_of_argument(R"({"node": "output"})").find("'output' is defined later in the graph"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"node": "call"})").find("'call' uses its own value"), std::string::npos);
}

TEST(ReadArgument, IllFormedContentsAreRefused) {
  EXPECT_NE(refusal_of_argument(R"({"float": "infinity"})").find("expected \"inf\", \"-inf\" or \"nan\""), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"complex": [1]})").find("[real part, imaginary part]"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"complex": [1, "i"]})").find("expected a real number, found a string"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"slice": [1, 2]})").find("start, stop, step"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"tuple": 1})").find("expected an array, found an integer"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"dict": []})").find("expected an object, found an array"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"dtype": 1})").find("expected a string, found an integer"), std::string::npos);
  EXPECT_NE(refusal_of_argument(R"({"node": null})").find("expected a string, found null"), std::string::npos);
}

}  // namespace
}  // namespace fxcut
