// Stacks of policies from a file.
#include "read/read_policy.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

PolicyStack read_stack(std::string_view text) { return read_policies(*Document::parse(std::string(text), "policy.json")); }

// A file of one policy.
std::string with(const std::string& policy) { return "{\"version\": 1, \"policies\": [" + policy + "]}"; }
std::string with_rule(const std::string& match, const std::string& policy = "true") {
  return with("{\"rules\": [{\"match\": " + match + ", \"policy\": " + policy + "}]}");
}

// The mistakes of a file: "PLACE: MESSAGE" without the file's name, line and column, and the hints.
std::vector<std::string> mistakes_of_policy(const std::string& text) {
  std::vector<std::string> found;
  try {
    read_stack(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::BadInput);
    for (const Diagnostic& diagnostic : failure.diagnostics()) {
      EXPECT_TRUE(diagnostic.place.starts_with("policy.json:1:")) << diagnostic.place;
      found.push_back(diagnostic.place.substr(diagnostic.place.find(' ') + 1) + ": " + diagnostic.message);
      if (!diagnostic.hint.empty()) found.back() += "; " + diagnostic.hint;
    }
  }
  return found;
}

using Lines = std::vector<std::string>;

TEST(ReadPolicy, AMatchMayBeByNodeAndKind) {
  const PolicyStack stack = read_stack(with_rule(R"({"node": "mm_*", "kind": "activation"})"));
  const PolicyMatch match = std::get<RuleList>(stack.at(0).content).rules.at(0).match;
  EXPECT_TRUE(match.node->matches("mm_1"));
  EXPECT_EQ(match.kind, NodeKind::Activation);
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"kind": "activations"})")),
            Lines{"/policies/0/rules/0/match/kind: unknown kind of node 'activations'; did you mean 'activation'?"});
}

TEST(ReadPolicy, TheStackIsReadFromOutermostToInnermost) {
  const PolicyStack stack = read_stack(with(R"({"name": "base", "otherwise": "PREFER_RECOMPUTE"},
                                         {"builtin": "must_save_all"}, {"rules": []}, {"jax": "dots_saveable"},
                                         {"name": "mine", "builtin": "recompute_all"})"));
  ASSERT_EQ(stack.size(), 5u);
  EXPECT_EQ(stack[0].name, "base");
  EXPECT_EQ(stack[1].name, "must_save_all");
  EXPECT_EQ(stack[2].name, "policy 3") << "without a name its place in the stack";
  EXPECT_EQ(stack[3].name, "dots_saveable");
  EXPECT_EQ(stack[4].name, "mine");
}

TEST(ReadPolicy, EveryPartOfAMatch) {
  const PolicyStack stack = read_stack(with_rule(R"({"name": "q", "op": {"regex": "aten\\.b?mm.*"}, "module": "layers.*",
                                               "dtype": "bfloat16", "min_bytes": 0, "max_bytes": "64kB",
                                               "ac_graph_id": 3, "every": 2})"));
  const PolicyMatch& match = std::get<RuleList>(stack.at(0).content).rules.at(0).match;
  EXPECT_EQ(match.name->text(), "q");
  EXPECT_TRUE(match.op->matches("aten.bmm.default")) << "a regular expression";
  EXPECT_TRUE(match.module->matches("layers.0")) << "a glob";
  EXPECT_EQ(match.dtype->text(), "bfloat16");
  EXPECT_EQ(match.min_bytes, 0);
  EXPECT_EQ(match.max_bytes, 64000);
  EXPECT_EQ(match.ac_graph_id, 3);
  EXPECT_EQ(match.every, 2);
}

TEST(ReadPolicy, EachCheckpointPolicyAndBooleans) {
  const PolicyStack stack = read_stack(with(R"({"rules": [
      {"match": {}, "policy": "MUST_SAVE"}, {"match": {}, "policy": "PREFER_SAVE"},
      {"match": {}, "policy": "MUST_RECOMPUTE"}, {"match": {}, "policy": "PREFER_RECOMPUTE"},
      {"match": {}, "policy": "MUST_CPU_OFFLOAD"},
      {"match": {}, "policy": "PREFER_CPU_OFFLOAD"}, {"match": {}, "policy": true}], "otherwise": false})"));
  const RuleList& list = std::get<RuleList>(stack.at(0).content);
  std::vector<CheckpointPolicy> policies;
  for (const PolicyRule& rule : list.rules) policies.push_back(std::get<CheckpointPolicy>(rule.policy));
  using enum CheckpointPolicy;
  EXPECT_EQ(policies, (std::vector{MustSave, PreferSave, MustRecompute, PreferRecompute, MustCpuOffload,
                                   PreferCpuOffload, MustSave}));
  EXPECT_EQ(list.otherwise, PreferRecompute);
}

TEST(ReadPolicy, CompressWithItsDtype) {
  const PolicyStack stack = read_stack(with(R"({"rules": [{"match": {}, "policy": "COMPRESS"},
      {"match": {}, "policy": "COMPRESS", "dtype": "torch.float8_e5m2"}]})"));
  const RuleList& list = std::get<RuleList>(stack.at(0).content);
  EXPECT_EQ(list.rules.at(0).policy, RuleOutcome(Compressing{}));
  EXPECT_EQ(list.rules.at(1).policy, RuleOutcome(Compressing{find_dtype("float8_e5m2")}));
}

TEST(ReadPolicy, OnlyCompressHasADtypeToRoundTo) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"rules": [{"match": {}, "policy": "MUST_SAVE", "dtype": "float16"}]})")),
            Lines{"/policies/0/rules/0/dtype: 'dtype' is for the policy COMPRESS"});
  EXPECT_EQ(mistakes_of_policy(with(R"({"rules": [{"match": {}, "policy": "COMPRESS", "dtype": "float8_e5m"}]})")),
            Lines{"/policies/0/rules/0/dtype: values cannot be rounded to 'float8_e5m'; did you mean 'float8_e5m2'?"});
}

TEST(ReadPolicy, CompressDoesNotSayWhatIsSaved) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"otherwise": "COMPRESS"})")),
            Lines{R"(/policies/0/otherwise: 'otherwise' cannot be COMPRESS, which does not say what is saved; )"
                  R"(add the rule {"match": {}, "policy": "COMPRESS"} at the end)"});
}

TEST(ReadPolicy, JaxPoliciesWithTheirLists) {
  const PolicyStack stack = read_stack(with(R"({"jax": "save_from_both_policies", "policies": [
      {"jax": "save_only_these_names", "names": ["q", "k"]},
      {"jax": "save_and_offload_only_these_names", "save": ["q"], "offload": ["k"]}]})"));
  const JaxPolicy& both = std::get<JaxPolicy>(stack.at(0).content);
  EXPECT_EQ(both.kind, "save_from_both_policies");
  EXPECT_EQ(both.policies.at(0).names, (Lines{"q", "k"}));
  EXPECT_EQ(both.policies.at(1).save, Lines{"q"});
  EXPECT_EQ(both.policies.at(1).offload, Lines{"k"});
}

TEST(ReadPolicy, AnEmptyStackIsOne) { EXPECT_TRUE(read_stack(R"({"version": 1, "policies": []})").empty()); }

TEST(ReadPolicy, ADocumentThatIsNoObjectIsRefused) {
  EXPECT_EQ(mistakes_of_policy("[]"), Lines{"top level: expected an object, found an array"});
}

TEST(ReadPolicy, AnotherVersionIsRefused) {
  EXPECT_EQ(mistakes_of_policy(R"({"version": 2, "policies": []})"),
            Lines{"/version: expected \"version\": 1; this fxcut reads only that version"});
  EXPECT_EQ(mistakes_of_policy(R"({"policies": []})"),
            Lines{"top level: expected \"version\": 1; this fxcut reads only that version"});
}

TEST(ReadPolicy, WithoutPoliciesAFileIsRefused) {
  EXPECT_EQ(mistakes_of_policy(R"({"version": 1})"), Lines{"top level: missing 'policies', an array, outermost first"});
}

TEST(ReadPolicy, UnknownMembersAreReportedWithTheNearestOrWithAll) {
  EXPECT_EQ(mistakes_of_policy(R"({"version": 1, "policies": [], "polices": []})"),
            Lines{"/polices: unknown member 'polices'; did you mean 'policies'?"});
  EXPECT_EQ(mistakes_of_policy(with(R"({"rulse": [], "otherwise": true})")),
            Lines{"/policies/0/rulse: unknown member 'rulse'; did you mean 'rules'?"});
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"modul": "a"})")),
            Lines{"/policies/0/rules/0/match/modul: unknown member 'modul'; did you mean 'module'?"});
  EXPECT_EQ(mistakes_of_policy(with(R"({"builtin": "must_save_all", "rules": []})")),
            Lines{"/policies/0/rules: unknown member 'rules'; expected one of name, builtin"});
}

TEST(ReadPolicy, APolicyThatSaysNothingIsRefused) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"name": "p"})")),
            Lines{"/policies/0: missing 'rules', 'otherwise', 'builtin' or 'jax'"});
}

TEST(ReadPolicy, ARuleNeedsAMatchAndAPolicy) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"rules": [{}]})")),
            (Lines{"/policies/0/rules/0: missing 'match', an object; an empty one matches everything",
                   "/policies/0/rules/0: missing 'policy', a checkpoint policy"}));
}

TEST(ReadPolicy, AnUnknownCheckpointPolicyIsReportedWithTheNearest) {
  EXPECT_EQ(mistakes_of_policy(with_rule("{}", R"("MUST_SAV")")),
            Lines{"/policies/0/rules/0/policy: unknown checkpoint policy 'MUST_SAV'; did you mean 'MUST_SAVE'?"});
  EXPECT_EQ(mistakes_of_policy(with(R"({"otherwise": "x"})")).size(), 1u);
}

TEST(ReadPolicy, AnUnknownBuiltInPolicyIsReportedWithTheNearest) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"builtin": "save_all"})")).size(), 1u);
  EXPECT_EQ(mistakes_of_policy(with(R"({"builtin": "recompute_al"})")),
            Lines{"/policies/0/builtin: unknown built-in policy 'recompute_al'; did you mean 'recompute_all'?"});
}

TEST(ReadPolicy, PatternsAreStringsOrRegularExpressions) {
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"op": {"regex": "("}})")),
            Lines{"/policies/0/rules/0/match/op/regex: '(' is not a regular expression; "
                  "use ECMAScript's syntax, without back-references"});
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"op": 1})")),
            Lines{"/policies/0/rules/0/match/op: expected a string, found an integer"});
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"name": {}})")).size(), 1u) << "it would match everything";
}

TEST(ReadPolicy, AnUnknownDtypeIsReportedWithTheNearest) {
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"dtype": "flaot32"})")),
            Lines{"/policies/0/rules/0/match/dtype: unknown dtype 'flaot32'; did you mean 'float32'?"});
}

TEST(ReadPolicy, NumbersHaveALeastValue) {
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"every": 0, "min_bytes": -1, "max_bytes": -2})")),
            (Lines{"/policies/0/rules/0/match/every: expected 1 or more, found 0",
                   "/policies/0/rules/0/match/min_bytes: expected 0 or more, found -1",
                   "/policies/0/rules/0/match/max_bytes: expected 0 or more, found -2"}));
}

TEST(ReadPolicy, SizesAreNumbersOrTextWithAUnit) {
  EXPECT_EQ(mistakes_of_policy(with_rule(R"({"min_bytes": "least", "max_bytes": "big"})")),
            (Lines{R"(/policies/0/rules/0/match/min_bytes: expected a size such as "100MB", found "least")",
                   R"(/policies/0/rules/0/match/max_bytes: expected a size such as "100MB", found "big")"}));
}

TEST(ReadPolicy, AnUnknownJaxPolicyIsReportedAtItsPlace) {
  EXPECT_EQ(mistakes_of_policy(with(R"({"jax": "dot_saveable"})")),
            Lines{"/policies/0/jax: unknown JAX policy 'dot_saveable'; did you mean 'dots_saveable'?"});
}

TEST(ReadPolicy, ANameToBeSavedAndOffloadedIsRefused) {
  const Lines found =
      mistakes_of_policy(with(R"({"jax": "save_and_offload_only_these_names", "save": ["q"], "offload": ["q"]})"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("/policies/0/jax: 'q' is to be saved and to be offloaded")) << found[0];
}

TEST(ReadPolicy, AMistakeInAPartOfAJaxPolicyIsReportedOnceAtThePart) {
  EXPECT_EQ(
      mistakes_of_policy(with(R"({"jax": "save_from_both_policies", "policies": [{"jax": "dots_saveable"}, )"
                    R"({"jax": "nothing_savable"}]})")),
      Lines{"/policies/0/policies/1/jax: unknown JAX policy 'nothing_savable'; did you mean 'nothing_saveable'?"});
}

TEST(ReadPolicy, SeveralMistakesAreReportedTogetherWithTheirLines) {
  try {
    read_stack("{\"version\": 1, \"policies\": [\n{\"builtin\": 1},\n{\"otherwise\": 1}]}");
    FAIL() << "read";
  } catch (const Failure& failure) {
    ASSERT_EQ(failure.diagnostics().size(), 2u);
    EXPECT_EQ(failure.diagnostics()[0].place, "policy.json:2:13: /policies/0/builtin");
    EXPECT_EQ(failure.diagnostics()[1].place, "policy.json:3:15: /policies/1/otherwise");
  }
}

}  // namespace
}  // namespace fxcut
