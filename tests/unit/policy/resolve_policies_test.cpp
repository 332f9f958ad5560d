// The policy that applies if several levels match one node.
#include "policy/resolve_policies.h"

#include <gtest/gtest.h>

#include <array>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "normalise/common_subexpressions.h"
#include "read/read_policy.h"

namespace fxcut {
namespace {

using enum CheckpointPolicy;

PolicyStack stack_of(const std::string& policies) {
  return read_policies(*Document::parse("{\"version\": 1, \"policies\": [" + policies + "]}", "policy.json"));
}

// A node tagged or untagged, and its gradient.
std::string sine(std::string_view meta = "") {
  return "primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n"
         "a = aten.sin.default(primals_1) : f32[4] " +
         std::string(meta) + "\ng = aten.mul.Tensor(tangents_1, a) : f32[4]\nreturn a | g";
}

PolicyOutcome outcome_of(const std::string& text, const PolicyStack& stack, bool ignore_tags = false) {
  JointGraph joint = joint_graph(text);
  Settings settings;
  settings.ignore_tags = ignore_tags;
  return apply_policies(joint, match_policies(stack, joint, settings), settings);
}

// The policy and reason that apply to the node; "contradiction" if none can.
std::string resolved(const std::string& text, const PolicyStack& stack, const std::string& node = "a",
                     bool ignore_tags = false) {
  try {
    const PolicyOutcome outcome = outcome_of(text, stack, ignore_tags);
    const auto reason = outcome.reasons.of(node);
    return reason ? std::string(name_of(reason->checkpoint_policy)) + " of " + reason->policy : "nobody";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return "contradiction";
  }
}

std::string verdict(const std::string& name, std::string_view policy) {
  return "{\"name\": \"" + name + "\", \"otherwise\": \"" + std::string(policy) + "\"}";
}

// Each that has an opinion replaces what stands, except that a MUST stands against any PREFER; two MUSTs that differ
// are an error. O: the outer one stands, I: the inner one, X: neither.
constexpr std::array<std::string_view, 6> kPolicies = {"MUST_SAVE",        "PREFER_SAVE",      "MUST_RECOMPUTE",
                                                       "PREFER_RECOMPUTE", "MUST_CPU_OFFLOAD", "PREFER_CPU_OFFLOAD"};
constexpr std::array<std::string_view, 6> kWhoStands = {
    "IOXOXO",  // outer MUST_SAVE
    "IIIIII",  // outer PREFER_SAVE
    "XOIOXO",  // outer MUST_RECOMPUTE
    "IIIIII",  // outer PREFER_RECOMPUTE
    "XOXOIO",  // outer MUST_CPU_OFFLOAD
    "IIIIII",  // outer PREFER_CPU_OFFLOAD
};

// `outer_name` and `inner_name` are what the levels are called.
std::string expected(std::size_t outer, std::size_t inner, const std::string& outer_name,
                     const std::string& inner_name) {
  switch (kWhoStands[outer][inner]) {
    case 'O': return std::string(kPolicies[outer]) + " of " + outer_name;
    case 'I': return std::string(kPolicies[inner]) + " of " + inner_name;
    default: return "contradiction";
  }
}

TEST(ResolvePolicies, AllPairsOfTwoPoliciesInBothOrders) {
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < 6; ++b) {
      const std::string first = verdict("first", kPolicies[a]), second = verdict("second", kPolicies[b]);
      EXPECT_EQ(resolved(sine(), stack_of(first + "," + second)), expected(a, b, "first", "second"))
          << kPolicies[a] << " outside of " << kPolicies[b];
      EXPECT_EQ(resolved(sine(), stack_of(second + "," + first)), expected(b, a, "second", "first"))
          << kPolicies[b] << " outside of " << kPolicies[a];
    }
  }
}

TEST(ResolvePolicies, TheGraphsTagsAreTheOutermostLevel) {
  for (std::size_t tag = 0; tag < 6; ++tag) {
    for (std::size_t policy = 0; policy < 6; ++policy) {
      EXPECT_EQ(
          resolved(sine("recompute=" + std::string(kPolicies[tag])), stack_of(verdict("inner", kPolicies[policy]))),
          expected(tag, policy, "the graph's tags", "inner"))
          << kPolicies[tag] << " tag outside of " << kPolicies[policy];
    }
  }
}

TEST(ResolvePolicies, AMustBetweenTwoPrefersStands) {
  EXPECT_EQ(resolved(sine(), stack_of(verdict("1", "PREFER_RECOMPUTE") + "," + verdict("2", "MUST_SAVE") + "," +
                                      verdict("3", "PREFER_RECOMPUTE"))),
            "MUST_SAVE of 2");
}

TEST(ResolvePolicies, IgnoredTagsAreGone) {
  const std::string tagged = sine("recompute=MUST_RECOMPUTE");
  EXPECT_EQ(resolved(tagged, stack_of(verdict("inner", "MUST_SAVE")), "a", true), "MUST_SAVE of inner");
  JointGraph joint = joint_graph(tagged);
  Settings settings;
  settings.ignore_tags = true;
  apply_policies(joint, {}, settings);
  EXPECT_EQ(node_named(joint.graph, "a").meta.recompute, std::nullopt) << "also without a policy";
}

TEST(ResolvePolicies, WithoutAPolicyTagsAreLeftAlone) {
  JointGraph joint = joint_graph(sine("recompute=MUST_RECOMPUTE"));
  EXPECT_TRUE(apply_policies(joint, {}, {}).reasons.empty());
  EXPECT_EQ(node_named(joint.graph, "a").meta.recompute, MustRecompute);
}

// `b` repeats `a`, in another module.
constexpr std::string_view kRepeated = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4] module=one
    b = aten.sin.default(primals_1) : f32[4] module=two
    c = aten.exp.default(a) : f32[4]
    g = aten.mul.Tensor(tangents_1, b) : f32[4]
    h = aten.mul.Tensor(g, a) : f32[4]
    return c | h)";

std::string standing_after_merging(const std::string& policies) {
  JointGraph joint = joint_graph(kRepeated);
  const MatchedPolicies matched = match_policies(stack_of(policies), joint, {});
  joint = merge_common_subexpressions(std::move(joint));
  const PolicyOutcome outcome = apply_policies(joint, matched, {});
  const PolicyReason reason = outcome.reasons.of("a").value();
  return std::string(name_of(reason.checkpoint_policy)) + " by " + reason.rule;
}

TEST(ResolvePolicies, APolicyOfARepeatAppliesToTheNodeItIsMergedInto) {
  EXPECT_EQ(standing_after_merging(R"({"rules": [{"match": {"module": "two"}, "policy": "MUST_SAVE"}]})"),
            "MUST_SAVE by rule 1: module two");
}

TEST(ResolvePolicies, TheStrongestPolicyOfALevelsRepeatsWins) {
  EXPECT_EQ(standing_after_merging(R"({"rules": [{"match": {"module": "one"}, "policy": "PREFER_SAVE"},
                                                 {"match": {"module": "two"}, "policy": "PREFER_RECOMPUTE"}]})"),
            "PREFER_SAVE by rule 1: module one");
  EXPECT_EQ(standing_after_merging(R"({"rules": [{"match": {"module": "one"}, "policy": "MUST_RECOMPUTE"},
                                                 {"match": {"module": "two"}, "policy": "MUST_CPU_OFFLOAD"}]})"),
            "MUST_CPU_OFFLOAD by rule 2: module two");
}

TEST(ResolvePolicies, AValueThatJaxRefusesByNameIsNotSavedAsItsRepeatEither) {
  JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4] checkpoint_name=q
    b = aten.sin.default(primals_1) : f32[4] checkpoint_name=k
    c = aten.mul.Tensor(a, b) : f32[4]
    g = aten.mul.Tensor(tangents_1, b) : f32[4]
    h = aten.mul.Tensor(g, a) : f32[4]
    return c | h)");
  const MatchedPolicies matched =
      match_policies(stack_of(R"({"jax": "save_anything_except_these_names", "names": ["q"]})"), joint, {});
  joint = merge_common_subexpressions(std::move(joint));
  apply_policies(joint, matched, {});
  EXPECT_EQ(node_named(joint.graph, "a").meta.recompute, PreferRecompute);
}

TEST(ResolvePolicies, EveryCountsTheNodesOfTheGraphAsItWasRead) {
  EXPECT_EQ(
      standing_after_merging(R"({"rules": [{"match": {"op": "aten.sin.*", "every": 2}, "policy": "MUST_SAVE"}]})"),
      "MUST_SAVE by rule 1: op aten.sin.*, every 2");
}

TEST(ResolvePolicies, AllConflictingMustsAreReported) {
  try {
    outcome_of(sine(), stack_of(verdict("1", "MUST_SAVE") + "," + verdict("2", "MUST_RECOMPUTE") + "," +
                                verdict("3", "MUST_CPU_OFFLOAD")));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.diagnostics().size(), 3U) << "1 and 2, 1 and 3, 2 and 3";
  }
}

TEST(ResolvePolicies, ContradictionsBeyondAHundredAreNotListed) {
  std::string policies;
  for (int i = 0; i < 30; ++i) {
    policies += (i ? "," : "") + verdict(std::to_string(i), i % 2 ? "MUST_SAVE" : "MUST_RECOMPUTE");
  }
  try {
    outcome_of(sine(), stack_of(policies));
    FAIL();
  } catch (const Failure& failure) {
    ASSERT_EQ(failure.diagnostics().size(), 101U) << "of 15 * 15";
    EXPECT_EQ(failure.diagnostics().back().message, "more rules conflict, which are not listed");
  }
}

TEST(ResolvePolicies, TheFirstRuleThatMatchesDecides) {
  EXPECT_EQ(resolved(sine(), stack_of(R"({"name": "p", "rules": [
      {"match": {"op": "aten.cos.*"}, "policy": "MUST_CPU_OFFLOAD"},
      {"match": {"op": "aten.sin.*"}, "policy": "MUST_SAVE"},
      {"match": {}, "policy": "MUST_RECOMPUTE"}]})")),
            "MUST_SAVE of p");
}

TEST(ResolvePolicies, OtherwiseHoldsWhereNoRuleMatches) {
  const PolicyStack stack = stack_of(R"({"name": "p", "rules": [{"match": {"op": "aten.cos.*"}, "policy": "MUST_SAVE"}],
                                         "otherwise": "PREFER_RECOMPUTE"})");
  EXPECT_EQ(resolved(sine(), stack), "PREFER_RECOMPUTE of p");
  EXPECT_EQ(resolved(sine(), stack, "primals_1"), "nobody") << "inputs are no operations";
}

TEST(ResolvePolicies, WithoutOtherwiseAPolicyHasNoOpinionOnTheRest) {
  EXPECT_EQ(resolved(sine(), stack_of(R"({"rules": [{"match": {"op": "aten.cos.*"}, "policy": "MUST_SAVE"}]})")),
            "nobody");
}

TEST(ResolvePolicies, BooleansMeanMustSaveAndPreferRecompute) {
  EXPECT_EQ(resolved(sine(), stack_of(R"({"name": "p", "rules": [{"match": {}, "policy": true}]})")), "MUST_SAVE of p");
  EXPECT_EQ(resolved(sine(), stack_of(R"({"name": "p", "otherwise": false})")), "PREFER_RECOMPUTE of p");
}

TEST(ResolvePolicies, BuiltInPolicies) {
  EXPECT_EQ(resolved(sine(), stack_of(R"({"builtin": "must_save_all"})")), "MUST_SAVE of must_save_all");
  EXPECT_EQ(resolved(sine(), stack_of(R"({"builtin": "recompute_all"})")), "PREFER_RECOMPUTE of recompute_all");
}

TEST(ResolvePolicies, JaxPoliciesSayMustOfWhatMayBeKeptAndPreferOfTheRest) {
  const std::string text = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    b = aten.sin.default(a) : f32[4, 4]
    g = aten.mul.Tensor(tangents_1, b) : f32[4, 4]
    return b | g)";
  const PolicyStack save = stack_of(R"({"name": "p", "jax": "dots_saveable"})");
  EXPECT_EQ(resolved(text, save, "a"), "MUST_SAVE of p");
  EXPECT_EQ(resolved(text, save, "b"), "PREFER_RECOMPUTE of p");
  const PolicyStack offload = stack_of(R"({"name": "p", "jax": "offload_dot_with_no_batch_dims"})");
  EXPECT_EQ(resolved(text, offload, "a"), "MUST_CPU_OFFLOAD of p");
}

TEST(ResolvePolicies, ReachForwardNodesOnly) {
  const std::string text = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    tagged = aten.cos.default(primals_1) : f32[4] partitioner_tag=is_backward
    g = aten.mul.Tensor(tangents_1, tagged) : f32[4]
    return a | g)";
  const PolicyStack stack = stack_of(R"({"builtin": "must_save_all"})");
  EXPECT_EQ(resolved(text, stack, "a"), "MUST_SAVE of must_save_all");
  EXPECT_EQ(resolved(text, stack, "tagged"), "nobody");
  EXPECT_EQ(resolved(text, stack, "g"), "nobody");
}

TEST(ResolvePolicies, AReasonNamesThePolicyTheRuleAndAllThatItOverrode) {
  const PolicyOutcome outcome = outcome_of(sine("recompute=PREFER_RECOMPUTE"), stack_of(R"(
      {"name": "base", "otherwise": "PREFER_CPU_OFFLOAD"},
      {"name": "mine", "rules": [{"match": {"op": "aten.sin.*"}, "policy": "MUST_SAVE"}]},
      {"builtin": "recompute_all"})"));
  const PolicyReason reason = outcome.reasons.of("a").value();
  EXPECT_EQ(reason.policy, "mine");
  EXPECT_EQ(reason.rule, "rule 1: op aten.sin.*");
  EXPECT_EQ(reason.checkpoint_policy, MustSave);
  EXPECT_EQ(reason.overrode, (std::vector<std::string>{"PREFER_RECOMPUTE of 'the graph's tags' (meta.recompute)",
                                                       "PREFER_CPU_OFFLOAD of 'base' (otherwise)",
                                                       "PREFER_RECOMPUTE of 'recompute_all' (otherwise)"}))
      << "also the PREFER that came after the MUST";
}

std::vector<std::string> contradictions(const std::string& text, const PolicyStack& stack) {
  std::vector<std::string> messages;
  try {
    outcome_of(text, stack);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    for (const Diagnostic& diagnostic : failure.diagnostics()) messages.push_back(diagnostic.message);
  }
  return messages;
}

void expect_in(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST(ResolvePolicies, AllContradictionsAreReportedWithBothPoliciesBothRulesAndTheNode) {
  const auto messages = contradictions(R"(
      primals_1 = placeholder : f32[4]
      tangents_1 = placeholder : f32[4]
      a = aten.sin.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE
      b = aten.cos.default(a) : f32[4]
      c = aten.exp.default(b) : f32[4]
      g = aten.mul.Tensor(tangents_1, c) : f32[4]
      return c | g)",
                                       stack_of(R"(
      {"name": "outer", "rules": [{"match": {"op": "aten.exp.*"}, "policy": "MUST_SAVE"},
                                  {"match": {"op": "aten.cos.*"}, "policy": "MUST_CPU_OFFLOAD"}]},
      {"name": "inner", "otherwise": "MUST_SAVE"})"));
  ASSERT_EQ(messages.size(), 2u) << "c is to be saved by both";
  expect_in(messages[0],
            {"'a'", "the graph's tags", "MUST_RECOMPUTE", "meta.recompute", "inner", "MUST_SAVE", "otherwise"});
  expect_in(messages[1],
            {"'b'", "outer", "MUST_CPU_OFFLOAD", "rule 2: op aten.cos.*", "inner", "MUST_SAVE", "otherwise"});
}

TEST(ResolvePolicies, AViewThatMustBeSavedContradictsAValueThatMustBeRecomputed) {
  const auto messages = contradictions(R"(
      primals_1 = placeholder : f32[4, 4]
      tangents_1 = placeholder : f32[16]
      a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
      v = aten.view.default(a, [16]) : f32[16]
      g = aten.mul.Tensor(tangents_1, v) : f32[16]
      return v | g)",
                                       stack_of(R"(
      {"name": "outer", "rules": [{"match": {"op": "aten.mm.*"}, "policy": "MUST_RECOMPUTE"}]},
      {"name": "inner", "rules": [{"match": {"op": "aten.view.*"}, "policy": "MUST_SAVE"}]})"));
  ASSERT_EQ(messages.size(), 1u);
  expect_in(messages[0], {"'a'", "outer", "MUST_RECOMPUTE", "rule 1: op aten.mm.*"});
  expect_in(messages[0], {"inner", "MUST_SAVE", "rule 1: op aten.view.*"});
}

TEST(ResolvePolicies, AnInnerPolicyOnTheValuePrevailsOverAnOuterPreferOnItsView) {
  EXPECT_EQ(resolved(R"(
      primals_1 = placeholder : f32[4, 4]
      tangents_1 = placeholder : f32[16]
      a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
      v = aten.view.default(a, [16]) : f32[16]
      g = aten.mul.Tensor(tangents_1, v) : f32[16]
      return v | g)",
                     stack_of(R"(
      {"name": "outer", "rules": [{"match": {"op": "aten.view.*"}, "policy": "PREFER_CPU_OFFLOAD"}]},
      {"name": "inner", "rules": [{"match": {"op": "aten.mm.*"}, "policy": "PREFER_RECOMPUTE"}]})")),
            "PREFER_RECOMPUTE of inner");
}

TEST(ResolvePolicies, ATupleAndItsItemsShareTheirFate) {
  const auto messages = contradictions(R"(
      primals_1 = placeholder : f32[4]
      tangents_1 = placeholder : f32[2]
      pair = aten.topk.default(primals_1, 2) : tuple(f32[2], i64[2])
      values = operator.getitem(pair, 0) : f32[2]
      g = aten.mul.Tensor(tangents_1, values) : f32[2]
      return values | g)",
                                       stack_of(R"(
      {"name": "outer", "rules": [{"match": {"op": "aten.topk.*"}, "policy": "MUST_RECOMPUTE"}]},
      {"name": "inner", "rules": [{"match": {"op": "operator.getitem"}, "policy": "MUST_SAVE"}]})"));
  ASSERT_EQ(messages.size(), 1u);
  expect_in(messages[0], {"'pair'", "outer", "MUST_RECOMPUTE", "inner", "MUST_SAVE"});
}

}  // namespace
}  // namespace fxcut
