// The report's rows on occurrences of checkpoint names.
#include "report/describe_parts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph_text.h"
#include "partition/partition.h"
#include "read/read_policy.h"

namespace fxcut {
namespace {

// "NAME: NODE DECISION [as VALUE, output N, input N PLACEHOLDER]", a line an occurrence.
std::string names_of_report(std::string_view text, const std::string& policies = "", const Settings& settings = {}) {
  const auto document = Document::parse("{\"version\": 1, \"policies\": [" + policies + "]}", "policy.json");
  std::string lines;
  for (const NameUse& use : partition(joint_graph(text), settings, read_policies(*document)).report.names) {
    lines += fmt::format("{}: {} {}", use.name, use.node, name_of(use.decision));
    if (use.forward_output && use.backward_input) {
      lines += fmt::format(" as {}, output {}, input {} {}", use.saved_as, *use.forward_output, *use.backward_input,
                           use.backward_placeholder);
    }
    lines += "\n";
  }
  return lines;
}

constexpr std::string_view kSeed = R"(
    primals_1 = placeholder : f32[2, 2]
    tangents_1 = placeholder : f32[2, 2]
    name_tensor = xla.name_tensor.default(primals_1, "foo") : f32[2, 2]
    sin = aten.sin.default(name_tensor) : f32[2, 2]
    mul = aten.mul.Tensor(sin, sin) : f32[2, 2]
    mul_1 = aten.mul.Tensor(tangents_1, sin) : f32[2, 2]
    cos = aten.cos.default(name_tensor) : f32[2, 2]
    mul_3 = aten.mul.Tensor(mul_1, cos) : f32[2, 2]
    return mul | mul_3)";

TEST(DescribeNames, ANamedInputIsSavedAsItself) {
  EXPECT_EQ(names_of_report(kSeed, R"({"builtin": "recompute_all"})"),
            "foo: name_tensor saved as primals_1, output 1, input 0 primals_1\n");
}

TEST(DescribeNames, WithoutAPolicyAsWell) {
  Settings settings;
  settings.activation_memory_budget = 0;
  EXPECT_EQ(names_of_report(kSeed, "", settings), "foo: name_tensor saved as primals_1, output 1, input 0 primals_1\n");
}

TEST(DescribeNames, IndicesCountSavedSizesToo) {
  EXPECT_EQ(names_of_report(R"(
    "symbols": {"s0": {"hint": 4, "backed": true}}
    primals_1 = placeholder : symint(s0=4)
    primals_2 = placeholder : f32[s0=4]
    tangents_1 = placeholder : f32[s0=4]
    a = aten.sin.default(primals_2) : f32[s0=4] checkpoint_name=q
    b = aten.view.default(a, [primals_1]) : f32[s0=4]
    c = aten.exp.default(b) : f32[s0=4]
    v = aten.view.default(tangents_1, [primals_1]) : f32[s0=4]
    g = aten.mul.Tensor(v, a) : f32[s0=4]
    return c | g)",
                            R"({"jax": "save_only_these_names", "names": ["q"]})"),
            "q: a saved as a, output 1, input 1 a\n")
      << "the size is output 2 and input 0";
}

constexpr std::string_view kTwice = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4] checkpoint_name=layer
    b = aten.sin.default(a) : f32[4, 4] checkpoint_name=layer
    c = aten.mm.default(b, b) : f32[4, 4] checkpoint_name=unused
    g = aten.mul.Tensor(tangents_1, b) : f32[4, 4]
    return c | g)";

TEST(DescribeNames, EachOccurrenceHasItsOwnDecision) {
  EXPECT_EQ(names_of_report(kTwice, R"({"rules": [{"match": {"op": "aten.mm.*"}, "policy": "MUST_SAVE"},
                                                  {"match": {"op": "aten.sin.*"}, "policy": "MUST_RECOMPUTE"}]})"),
            "layer: a saved as a, output 1, input 0 a\n"
            "layer: b recomputed\n"
            "unused: c not_needed\n");
}

TEST(DescribeNames, OneValueMayHaveTwoNames) {
  EXPECT_EQ(names_of_report(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4] checkpoint_name=q
    n = xla.name_tensor.default(a, "k") : f32[4]
    b = aten.exp.default(n) : f32[4]
    g = aten.mul.Tensor(tangents_1, n) : f32[4]
    return b | g)",
                            R"({"rules": [{"match": {"name": "k"}, "policy": "MUST_SAVE"}]})"),
            "q: a saved as a, output 1, input 0 a\nk: n saved as a, output 1, input 0 a\n");
}

TEST(DescribeNames, ANameOutlivesTheMergingOfEqualNodes) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    b = aten.sin.default(primals_1) : f32[4]
    n = xla.name_tensor.default(b, "q") : f32[4]
    c = aten.mul.Tensor(a, n) : f32[4]
    g = aten.mul.Tensor(tangents_1, n) : f32[4]
    h = aten.mul.Tensor(g, a) : f32[4]
    return c | h)";
  const std::string names = names_of_report(text, R"({"jax": "save_only_these_names", "names": ["q"]})");
  EXPECT_TRUE(names.starts_with("q: n saved as ")) << names;
}

TEST(DescribeNames, NamesOfEqualNodesAllOutliveTheirMerging) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4] checkpoint_name=k
    b = aten.sin.default(primals_1) : f32[4] checkpoint_name=q
    c = aten.mul.Tensor(a, b) : f32[4]
    g = aten.mul.Tensor(tangents_1, b) : f32[4]
    h = aten.mul.Tensor(g, a) : f32[4]
    return c | h)";
  EXPECT_EQ(names_of_report(text, R"({"jax": "save_only_these_names", "names": ["q"]})"),
            "k: a saved as a, output 1, input 0 a\nq: b saved as a, output 1, input 0 a\n");
}

TEST(DescribeNames, ANameThatNobodyTakesStillNamesItsValue) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    n = xla.name_tensor.default(a, "q") : f32[4]
    b = aten.cos.default(primals_1) : f32[4]
    m = xla.name_tensor.default(b, "dead") : f32[4]
    c = aten.mul.Tensor(a, a) : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    return c | g)";
  EXPECT_EQ(names_of_report(text, R"({"jax": "save_only_these_names", "names": ["q", "dead"]})"),
            "q: n saved as a, output 1, input 0 a\ndead: m not_needed\n");
}

constexpr std::string_view kPart = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[2, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    s = aten.slice.Tensor(a, 0, 0, 2) : f32[2, 4]
    n = xla.name_tensor.default(s, "q") : f32[2, 4]
    c = aten.sin.default(n) : f32[2, 4]
    g = aten.mul.Tensor(tangents_1, n) : f32[2, 4]
    return c | g)";

TEST(DescribeNames, APartIsSavedWithTheWhole) {
  const std::string policy = R"({"rules": [{"match": {"name": "q"}, "policy": "MUST_SAVE"}]})";
  EXPECT_EQ(names_of_report(kPart, policy), "q: n saved as a, output 1, input 0 a\n");
  const auto document = Document::parse("{\"version\": 1, \"policies\": [" + policy + "]}", "policy.json");
  EXPECT_TRUE(partition(joint_graph(kPart), {}, read_policies(*document)).report.warnings.empty());
}

TEST(DescribeNames, APartIsOffloadedByItself) {
  EXPECT_EQ(names_of_report(kPart, R"({"rules": [{"match": {"name": "q"}, "policy": "MUST_CPU_OFFLOAD"}]})"),
            "q: n offloaded as s, output 1, input 0 cpu_offload_s\n");
}

TEST(DescribeNames, WithoutNamesThereAreNone) {
  EXPECT_EQ(names_of_report("primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n"
                            "g = aten.mul.Tensor(tangents_1, primals_1) : f32[4]\nreturn primals_1 | g"),
            "");
}

}  // namespace
}  // namespace fxcut
