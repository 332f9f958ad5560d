// Rules that match nothing in the graph are reported with the nearest existing name.

#include <gtest/gtest.h>

#include "graph_text.h"
#include "policy/match_policies.h"
#include "policy/policy_stack.h"
#include "read/read_policy.h"

namespace fxcut {
namespace {

std::vector<std::string> warnings(const std::string& policy, const std::string& meta = "checkpoint_name=query") {
  JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4] module=layers.0.mlp )" +
                                 meta + R"(
    g = aten.mul.Tensor(tangents_1, a) : f32[4, 4]
    return a | g)");
  const auto document = Document::parse("{\"version\": 1, \"policies\": [" + policy + "]}", "policy.json");
  return match_policies(read_policies(*document), joint, {}).warnings;
}

std::string rule(const std::string& match) {
  return R"({"name": "p", "rules": [{"match": )" + match + R"(, "policy": "MUST_SAVE"}]})";
}

using Lines = std::vector<std::string>;

TEST(PolicyLevels, ARuleThatMatchesSomethingIsNotReported) { EXPECT_EQ(warnings(rule(R"({"name": "query"})")), Lines{}); }

TEST(PolicyLevels, ARuleBehindOneThatTakesAllItsNodesIsReported) {
  EXPECT_EQ(warnings(R"({"name": "p", "rules": [{"match": {"op": "aten.*"}, "policy": "MUST_SAVE"},
                                                {"match": {"op": "aten.mm.*"}, "policy": "MUST_RECOMPUTE"}]})"),
            Lines{"policy 'p', rule 2: op aten.mm.*: has no effect, since earlier rules match the same nodes, such as rule 1: op "
                  "aten.*; put it before them"});
}

TEST(PolicyLevels, ARuleThatMatchesNothingIsReportedWithTheNearestName) {
  EXPECT_EQ(warnings(rule(R"({"name": "qurey"})")),
            Lines{"policy 'p', rule 1: name qurey: matches nothing; did you mean 'query'?"});
}

TEST(PolicyLevels, ARuleThatMatchesNothingIsReportedWithTheNearestOperator) {
  EXPECT_EQ(warnings(rule(R"({"op": "aten.mm.defualt"})")),
            Lines{"policy 'p', rule 1: op aten.mm.defualt: matches nothing; did you mean 'aten.mm.default'?"});
}

TEST(PolicyLevels, ARuleOnADecomposedOperatorIsReportedWithItsDecomposition) {
  EXPECT_EQ(
      warnings(rule(R"({"op": "torch.ops.aten.linear"})")),
      Lines{"policy 'p', rule 1: op torch.ops.aten.linear: matches nothing; PyTorch decomposes aten.linear; the forward has "
            "aten.mm.default"});
  EXPECT_EQ(
      warnings(rule(R"({"op": "aten::conv2d"})")),
      Lines{"policy 'p', rule 1: op aten::conv2d: matches nothing; PyTorch decomposes aten.conv2d; the forward has none of its "
            "parts"});
}

TEST(PolicyLevels, ARuleThatMatchesNothingIsReportedWithTheNearestModule) {
  EXPECT_EQ(warnings(rule(R"({"module": "layer.0.mlp"})")),
            Lines{"policy 'p', rule 1: module layer.0.mlp: matches nothing; did you mean 'layers.0.mlp'?"});
}

TEST(PolicyLevels, FirstOfThousandsThatMatchNothingAreReportedWithTheNearest) {
  std::string text = "x = placeholder : f32[4]\n", rules;
  for (int i = 0; i < 2000; ++i) {
    const std::string number = std::to_string(i);
    text += "a" + number + " = aten.sin.default(x) : f32[4] checkpoint_name=value_" + number + "\n";
    rules += std::string(i ? "," : "") + R"({"match": {"name": "valeu_)" + number + R"("}, "policy": "MUST_SAVE"})";
  }
  const JointGraph joint = joint_graph(text + "return a0");
  const auto document =
      Document::parse(R"({"version": 1, "policies": [{"rules": [)" + rules + "]}]}", "policy.json");
  const Lines warnings = match_policies(read_policies(*document), joint, {}).warnings;
  ASSERT_EQ(warnings.size(), 2000U);
  EXPECT_EQ(warnings.front(),
            "policy 'policy 1', rule 1: name valeu_0: matches nothing; did you mean 'value_0'?");
  EXPECT_EQ(warnings.back(), "policy 'policy 1', rule 2000: name valeu_1999: matches nothing");
}

TEST(PolicyLevels, ANameTakenByAnotherRuleIsReportedPerName) {
  std::string text = "x = placeholder : f32[4]\na = aten.sin.default(x) : f32[4]\n";
  for (const std::string name : {"p", "q"}) text += name + " = xla.name_tensor.default(a, \"" + name + "\") : f32[4]\n";
  const JointGraph joint = joint_graph(text + "around = aten.exp.default(a) : f32[4]\nreturn around, p, q");
  EXPECT_EQ(match_policies({must_save_all()}, joint, {}).warnings,
            (Lines{"'around' takes 'a' itself, not 'p', which names it 'p': the name holds for both",
                   "'around' takes 'a' itself, not 'q', which names it 'q': the name holds for both"}));
}

TEST(PolicyLevels, WithNothingNearNothingIsSuggested) {
  EXPECT_EQ(warnings(rule(R"({"name": "xyz"})")), Lines{"policy 'p', rule 1: name xyz: matches nothing"});
  EXPECT_EQ(warnings(rule(R"({"min_bytes": 1000000})")),
            Lines{"policy 'p', rule 1: at least 1000000 bytes: matches nothing"});
}

TEST(PolicyLevels, ExistingNamesAreNotSuggestedIfAnotherPartFails) {
  EXPECT_EQ(warnings(rule(R"({"name": "query", "op": "aten.xyz.*"})")),
            Lines{"policy 'p', rule 1: name query, op aten.xyz.*: matches nothing"});
}

TEST(PolicyLevels, EachUnusedNameOfAJaxPolicyIsReported) {
  EXPECT_EQ(
      warnings(R"({"name": "p", "jax": "save_and_offload_only_these_names",
                         "save": ["query", "xyz"], "offload": ["quer"]})"),
      (Lines{"policy 'p': no value is named 'xyz'", "policy 'p': no value is named 'quer'; did you mean 'query'?"}));
}

TEST(PolicyLevels, UnusedNamesInPartsOfAJaxPolicyAreReportedToo) {
  EXPECT_EQ(warnings(R"({"name": "p", "jax": "save_from_both_policies", "policies": [
                {"jax": "dots_saveable"}, {"jax": "save_only_these_names", "names": ["xyz"]}]})"),
            Lines{"policy 'p': no value is named 'xyz'"});
}

TEST(PolicyLevels, AConsumerThatBypassesANameIsReported) {
  const JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]@7
    n = xla.name_tensor.default(a, "q") : f32[4]
    kept = aten.detach.default(a) : f32[4]@7
    around = aten.exp.default(a) : f32[4]
    g = aten.mul.Tensor(tangents_1, n) : f32[4]
    return around, kept | g)");
  EXPECT_EQ(match_policies({must_save_all()}, joint, {}).warnings,
            Lines{"'around' takes 'a' itself, not 'n', which names it 'q': the name holds for both"});
}

TEST(PolicyLevels, ARefusedItemRefusesAllThatItsOperatorComputes) {
  const JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[4]
    pair = aten.topk.default(primals_1, 2) : tuple(f32[2], i64[2])
    values = operator.getitem(pair, 0) : f32[2] checkpoint_name=q
    indices = operator.getitem(pair, 1) : i64[2]
    return values, indices)");
  const auto document = Document::parse(
      R"({"version": 1, "policies": [{"jax": "save_anything_except_these_names", "names": ["q"]}]})", "policy.json");
  const MatchedPolicies matched = match_policies(read_policies(*document), joint, {});
  std::string refused;
  for (const RuleVerdict& verdict : matched.levels.at(0).verdicts) {
    if (verdict.refuses) refused += " " + matched.nodes[index_of(verdict.node)];
  }
  EXPECT_EQ(refused, " pair values indices");
}

}  // namespace
}  // namespace fxcut
