// Whole graphs: what is read, and every mistake that is found.
#include "read/read_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "unit/without_excerpts.h"

namespace fxcut {
namespace {

constexpr std::string_view kHead = R"("format": "fx-joint-graph", "version": 1)";
constexpr std::string_view kOutput = R"({"name": "output", "op": "output", "args": [[]]})";

JointGraph read_graph(const std::string& text) { return read_joint_graph(*Document::parse(text, "g.json")); }

std::string refusal_of_graph(const std::string& text) {
  try {
    read_graph(text);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    return without_excerpts(failure);
  }
}

// A document of these nodes, and the output.
std::string with_nodes(const std::string& nodes) {
  return "{" + std::string(kHead) + ", \"num_fwd_outputs\": 0, \"nodes\": [" + nodes + (nodes.empty() ? "" : ",\n") +
         std::string(kOutput) + "]}";
}

void expect_says(const std::string& text, std::string_view what) {
  const std::string matched = refusal_of_graph(text);
  EXPECT_NE(matched.find(what), std::string::npos) << text << "\ngave: " << matched;
}

TEST(ReadGraph, TheReleaseIsThatOfTheProducerUnlessAnotherIsAskedFor) {
  const auto document = Document::parse(joint_json(made_by(Release{13}) + "x = placeholder\nreturn x"), "g.json");
  EXPECT_EQ(read_joint_graph(*document).torch.release, Release{13});
  EXPECT_EQ(read_joint_graph(*document, "2.15").torch.release, Release{15});
  EXPECT_EQ(joint_graph("x = placeholder\nreturn x").torch.release, kNewestRelease);
}

TEST(ReadGraph, OperatorsAreThoseOfTheRelease) {
  const std::string text = "x = placeholder\ny = aten.shallow_copy_data_.default(x, x)\nreturn y";
  EXPECT_FALSE(node_named(joint_graph(made_by(Release{13}) + text).graph, "y").callee->mutates);
  EXPECT_TRUE(node_named(joint_graph(made_by(Release{15}) + text).graph, "y").callee->mutates);
}

TEST(ReadGraph, NodesOfEachKind) {
  const JointGraph joint = joint_graph(R"(
    "producer": "hand"
    primals_1 = placeholder target_1 : f32[4] static
    w = get_attr weight
    y = aten.mul.Tensor(primals_1, w, alpha=2) tensor_meta=f32[4]
    return y | None)");
  EXPECT_EQ(joint.name, "test");
  EXPECT_EQ(joint.producer, "hand");
  EXPECT_EQ(joint.num_forward_outputs, 1u);
  EXPECT_EQ(text_of(joint.graph),
            "primals_1 = placeholder target_1\n"
            "w = get_attr weight\n"
            "y = aten.mul.Tensor(primals_1, w, alpha=2)\n"
            "return y, None\n");
  EXPECT_TRUE(joint.graph.nodes[0].meta.static_lifetime);
  EXPECT_TRUE(joint.graph.nodes[0].has_tensor());
  EXPECT_EQ(joint.graph.nodes[2].value, nullptr);
  ASSERT_NE(joint.graph.nodes[2].tensor_meta, nullptr);
  EXPECT_EQ(element_bytes(joint.graph.nodes[2].tensor_meta->tensor), 16);
}

TEST(ReadGraph, TheCompilerIsOptional) {
  const std::string nodes = "primals_1 = placeholder : f32[4]\nreturn primals_1 | None";
  EXPECT_EQ(joint_graph(nodes).compiler, "");
  EXPECT_EQ(joint_graph("\"compiler\": \"inductor\"\n" + nodes).compiler, kInductor);
}

TEST(ReadGraph, TheCompilerHasThreadsUnlessTheFileSaysOne) {
  const std::string nodes = "primals_1 = placeholder : f32[4]\nreturn primals_1 | None";
  EXPECT_FALSE(joint_graph(nodes).single_threaded);
  EXPECT_TRUE(joint_graph("\"single_threaded\": true\n" + nodes).single_threaded);
}

TEST(ReadGraph, AbsentTargetsAreNames) {
  const JointGraph joint = read_graph(with_nodes(R"({"name": "x", "op": "placeholder"})"));
  EXPECT_EQ(joint.graph.nodes[0].target, "x");
  EXPECT_EQ(joint.graph.nodes[1].target, "output");
}

TEST(ReadGraph, OnlyPrimalsHaveAStaticLifetime) {
  const JointGraph joint =
      joint_graph("tangents_1 = placeholder static\nprimals_1 = placeholder static\nreturn primals_1");
  EXPECT_FALSE(joint.graph.nodes[0].meta.static_lifetime);
  EXPECT_TRUE(joint.graph.nodes[1].meta.static_lifetime);
}

TEST(ReadGraph, SymbolsAndOperators) {
  const JointGraph joint = joint_graph(R"(
    "symbols": {"s0": {"hint": 4, "backed": true}, "u0": {"hint": null, "backed": false}, "s1": {}}
    "ops": {"my.own.default": {"tags": ["nondeterministic_seeded"], "returns": 0, "schema": "(Tensor(a!) x) -> Tensor"}}
    x = placeholder
    y = my.own.default(x)
    return x)");
  EXPECT_EQ(joint.symbols.at("s0").hint, 4);
  EXPECT_EQ(joint.symbols.at("u0").hint, std::nullopt);
  EXPECT_FALSE(joint.symbols.at("u0").backed);
  EXPECT_TRUE(joint.symbols.at("s1").backed);
  const Operator& op = *joint.graph.nodes[1].callee;
  EXPECT_TRUE(op.mutates && op.seeded_random);
  EXPECT_EQ(op.returns, 0);
  EXPECT_EQ(op.mutable_arguments, std::vector<std::string>({"x"}));
}

TEST(ReadGraph, SubgraphsAtEveryDepth) {
  const std::string inner = "z = placeholder\nreturn z";
  const JointGraph joint =
      joint_graph(subgraphs_line({{"body", subgraphs_line({{"inner", inner}}) + "y = placeholder\nreturn y"}}) +
                  "x = placeholder\nreturn x");
  ASSERT_EQ(joint.subgraphs.size(), 1u);
  EXPECT_EQ(joint.subgraphs[0].name, "body");
  EXPECT_EQ(names_of(joint.subgraphs[0].subgraph.graph), "y output");
  EXPECT_EQ(names_of(joint.subgraphs[0].subgraph.subgraphs.at(0).subgraph.graph), "z output");
}

TEST(ReadGraph, OriginsLeadBackToTheText) {
  const auto document = Document::parse(joint_json("x = placeholder\nreturn x"), "g.json");
  const JointGraph joint = read_joint_graph(*document);
  EXPECT_EQ(document->at(joint.graph.nodes[0].origin).place(), "g.json:2:1: /nodes/0");
}

TEST(ReadGraph, SeveralMistakesAreReportedAtOnce) {
  EXPECT_EQ(refusal_of_graph("{" + std::string(kHead) + R"(, "num_fwd_outputs": 0, "nodes": [
{"name": "x", "op": "placeholder", "val": {"kind": "tensor", "dtype": "float23", "shape": []}},
{"name": "x", "op": "call_funtion"},
{"name": "y", "op": "call_function", "target": "aten.sin.default", "args": [{"node": "z"}]}]})"),
            "fxcut: g.json:3:10: /nodes/1/name: error: duplicate name 'x', first at /nodes/0\n"
            "  give each node its own name\n"
            "fxcut: g.json:2:71: /nodes/0/val/dtype (node 'x'): error: unknown dtype 'float23'\n"
            "  did you mean 'float32'?\n"
            "fxcut: g.json:3:21: /nodes/1/op (node 'x'): error: unknown op 'call_funtion'\n"
            "  expected one of placeholder, call_function, get_attr, output\n"
            "fxcut: g.json:4:86: /nodes/2/args/0/node (node 'y'): error: unknown node 'z'\n"
            "  did you mean 'x'?\n"
            "fxcut: g.json:1:75: /nodes: error: expected exactly one output node, found none");
}

TEST(ReadGraph, NotMoreThanAHundredMistakesAreListed) {
  std::string nodes;
  for (int i = 0; i < 150; ++i) nodes += (i > 0 ? ",\n" : "") + std::string("{\"op\": \"placeholder\"}");
  expect_says(with_nodes(nodes), "and 50 more mistakes");
}

TEST(ReadGraph, TheFormAndItsVersion) {
  expect_says("[]", "expected an object, found an array");
  expect_says("{}", "expected \"format\": \"fx-joint-graph\"");
  expect_says(R"({"format": "fx-graph", "version": 1, "nodes": []})", "expected \"format\": \"fx-joint-graph\"");
  expect_says(R"({"format": "fx-joint-graph", "version": 2, "nodes": []})", "expected \"version\": 1");
  expect_says(R"({"format": "fx-joint-graph", "version": 1.0, "nodes": []})", "expected \"version\": 1");
  expect_says("{" + std::string(kHead) + "}", "missing 'nodes', an array");
}

TEST(ReadGraph, IllFormedNodes) {
  expect_says(with_nodes("3"), "expected an object, found an integer");
  expect_says(with_nodes(R"({"op": "placeholder"})"), "missing 'name'");
  expect_says(with_nodes(R"({"name": "", "op": "placeholder"})"), "missing 'name'");
  expect_says(with_nodes(R"({"name": "x"})"), "missing 'op'");
  expect_says(with_nodes(R"({"name": "x", "op": "call_function"})"), "missing 'target'");
  expect_says(with_nodes(R"({"name": "x", "op": "call_function", "target": "a.b", "args": {}})"),
              "expected an array, found an object");
  expect_says(with_nodes(R"({"name": "x", "op": "call_function", "target": "a.b", "kwargs": []})"),
              "expected an object, found an array");
}

TEST(ReadGraph, TheOutputIsOneAndTheLast) {
  expect_says(with_nodes(std::string(kOutput)), "expected exactly one output node, found 2");
  expect_says("{" + std::string(kHead) + ", \"num_fwd_outputs\": 0, \"nodes\": [" + std::string(kOutput) +
                  R"(, {"name": "x", "op": "placeholder"}]})",
              "the output node is not the last");
  expect_says("{" + std::string(kHead) + ", \"num_fwd_outputs\": 0, \"nodes\": []}",
              "expected exactly one output node, found none");
}

// To PyTorch a slice is one leaf, and no pass looks for nodes in it.
TEST(ReadGraph, TheOutputReturnsNoSliceOfNodes) {
  const auto returning = [](const std::string& leaf) {
    return "{" + std::string(kHead) + R"(, "num_fwd_outputs": 0, "nodes": [{"name": "x", "op": "placeholder"},
{"name": "output", "op": "output", "args": [[{"node": "x"}, )" + leaf + "]]}]}";
  };
  const std::string says = "(node 'output'): error: expected nodes and constants as outputs, found a slice of nodes\n"
                           "  return the nodes themselves";
  expect_says(returning(R"({"slice": [{"node": "x"}, null, null]})"), says);
  expect_says(returning(R"({"tuple": [1, {"slice": [null, [{"node": "x"}], null]}]})"), says);
  EXPECT_EQ(read_graph(returning(R"({"slice": [0, 4, 1]})")).graph.size(), 2u);
}

TEST(ReadGraph, TheNumberOfForwardOutputs) {
  const auto with_count = [](const std::string& count) {
    return "{" + std::string(kHead) + count + R"(, "nodes": [{"name": "x", "op": "placeholder"},
{"name": "output", "op": "output", "args": [[{"node": "x"}, null]]}]})";
  };
  EXPECT_EQ(read_graph(with_count(", \"num_fwd_outputs\": 2")).num_forward_outputs, 2u);
  expect_says(with_count(""), "missing 'num_fwd_outputs'");
  expect_says(with_count(", \"num_fwd_outputs\": 3"), "expected 0 to 2 forward outputs, the outputs of the graph; found 3");
  expect_says(with_count(", \"num_fwd_outputs\": -1"), "found -1");
  expect_says(with_count(", \"num_fwd_outputs\": 1.0"), "expected an integer, found a real number");
}

TEST(ReadGraph, StaticInputsThatAreNotThere) {
  expect_says("{" + std::string(kHead) + R"(, "num_fwd_outputs": 0, "static_lifetime_inputs": ["primal_1"], "nodes": [
{"name": "primals_1", "op": "placeholder"}, )" +
                  std::string(kOutput) + "]}",
              "unknown placeholder 'primal_1'\n  did you mean 'primals_1'?");
}

TEST(ReadGraph, IllFormedFactsAreNamed) {
  expect_says(R"({"format": "fx-joint-graph", "version": 1, "ops": {"a.b.c": {"mutable": 1}}, "nodes": []})",
              "/ops/a.b.c/mutable: error: expected a boolean, found an integer");
  expect_says(R"({"format": "fx-joint-graph", "version": 1, "symbols": {"s0": {"hint": "4"}}, "nodes": []})",
              "/symbols/s0/hint: error: expected an integer, found a string");
}

AnyGraph read_any(const std::string& text) { return read_any_graph(*Document::parse(text, "g.json")); }

std::string side_json(const std::string& members) {
  return R"({"format": "fx-graph", "version": 1, )" + members +
         R"("nodes": [{"name": "x", "op": "placeholder", "target": "x"},
            {"name": "output", "op": "output", "args": [[{"node": "x"}, {"node": "x"}]]}]})";
}

TEST(ReadGraph, ASideOfAPartition) {
  const AnyGraph forward = read_any(side_json(R"("side": "forward", "num_fwd_outputs": 1, )"));
  EXPECT_EQ(forward.form, GraphForm::Forward);
  EXPECT_EQ(forward.joint.num_forward_outputs, 1u);
  EXPECT_EQ(read_any(side_json(R"("side": "backward", )")).form, GraphForm::Backward);
  EXPECT_EQ(read_any(with_nodes("")).form, GraphForm::Joint);
}

TEST(ReadGraph, ASideNeedNotHaveEveryStaticInputOfTheStep) {
  const AnyGraph backward = read_any(side_json(R"("side": "backward", "static_lifetime_inputs": ["x", "weight"], )"));
  EXPECT_TRUE(backward.joint.graph.nodes.front().meta.static_lifetime);
}

TEST(ReadGraph, AWholeStepSaysWhetherUnusedRandomCallsStay) {
  const auto step = [](std::string_view member) {
    return fmt::format(R"({{"format": "fx-step-graph", "version": 1, {}"nodes": [{}]}})", member, kOutput);
  };
  EXPECT_FALSE(read_graph(step("")).step->impure_random);
  EXPECT_TRUE(read_graph(step(R"("impure_random": true, )")).step->impure_random);
  expect_says(step(R"("impure_random": 1, )"), "expected a boolean");
}

TEST(ReadGraph, AFileOfNeitherFormat) {
  EXPECT_THROW(read_any(R"({"format": "onnx", "version": 1, "nodes": []})"), Failure);
  EXPECT_THROW(read_any(side_json(R"("side": "middle", )")), Failure);
  EXPECT_THROW(read_graph(side_json(R"("side": "backward", )")), Failure);
}

}  // namespace
}  // namespace fxcut
