// The tags of nodes once the policies on them are resolved.
#include "policy/policy_tags.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "policy/resolve_policies.h"
#include "read/read_policy.h"

namespace fxcut {
namespace {

struct Tagged {
  Graph graph;
  PolicyOutcome outcome;

  // "a=MUST_SAVE b=PREFER_RECOMPUTE": the nodes with a tag; those wanted on the host with an H.
  std::string tags() const {
    std::string text;
    for (const Node& node : graph.nodes) {
      if (!node.meta.recompute && !node.meta.should_offload) continue;
      text += (text.empty() ? "" : " ") + node.name + "=";
      if (node.meta.recompute) text += name_of(*node.meta.recompute);
      if (node.meta.should_offload) text += "+H";
    }
    return text;
  }
};

Tagged tagged(std::string_view text, const std::string& policies) {
  JointGraph joint = joint_graph(text);
  const auto document = Document::parse("{\"version\": 1, \"policies\": [" + policies + "]}", "policy.json");
  PolicyOutcome outcome = apply_policies(joint, match_policies(read_policies(*document), joint, {}), {});
  return {std::move(joint.graph), std::move(outcome)};
}

std::string on(const std::string& match, const std::string& policy) {
  return R"({"name": "p", "rules": [{"match": {)" + match + R"(}, "policy": ")" + policy + "\"}]}";
}

constexpr std::string_view kNamedView = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[16]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    v = aten.view.default(a, [16]) : f32[16]
    n = xla.name_tensor.default(v, "q") : f32[16]
    s = aten.sin.default(n) : f32[16]
    g = aten.mul.Tensor(tangents_1, s) : f32[16]
    return s | g)";

TEST(PolicyTags, ANameIsSavedAtTheNodeThatComputesItsValue) {
  EXPECT_EQ(tagged(kNamedView, on(R"("name": "q")", "MUST_SAVE")).tags(),
            "a=MUST_SAVE v=PREFER_RECOMPUTE n=PREFER_RECOMPUTE")
      << "view and name are made again from it";
}

TEST(PolicyTags, ANamedValueIsSavedUnderNoOtherNameWhereItMustBeRecomputed) {
  EXPECT_EQ(tagged(kNamedView, on(R"("name": "q")", "MUST_RECOMPUTE")).tags(),
            "a=MUST_RECOMPUTE v=MUST_RECOMPUTE n=MUST_RECOMPUTE");
}

TEST(PolicyTags, AnOffloadedValueIsMarkedAndNotRecomputed) {
  const Tagged must = tagged(kNamedView, on(R"("name": "q")", "MUST_CPU_OFFLOAD"));
  EXPECT_EQ(must.tags(), "a=MUST_SAVE+H v=PREFER_RECOMPUTE n=PREFER_RECOMPUTE");
  EXPECT_TRUE(must.outcome.offloads);
  EXPECT_EQ(node_named(must.graph, "a").meta.offload_request, OffloadRequest::Must);
  const Tagged prefer = tagged(kNamedView, on(R"("name": "q")", "PREFER_CPU_OFFLOAD"));
  EXPECT_EQ(prefer.tags(), must.tags());
  EXPECT_EQ(node_named(prefer.graph, "a").meta.offload_request, OffloadRequest::Preferred);
}

TEST(PolicyTags, PreferSaveLeavesTheCutItsChoice) {
  const Tagged result = tagged(kNamedView, on(R"("name": "q")", "PREFER_SAVE"));
  EXPECT_EQ(result.tags(), "a=PREFER_SAVE");
  EXPECT_FALSE(result.outcome.offloads);
}

TEST(PolicyTags, SavingAViewSavesItsBaseWithAWarning) {
  const Tagged result = tagged(kNamedView, on(R"("op": "aten.view.*")", "MUST_SAVE"));
  EXPECT_EQ(node_named(result.graph, "a").meta.recompute, CheckpointPolicy::MustSave);
  EXPECT_EQ(node_named(result.graph, "v").meta.recompute, CheckpointPolicy::PreferRecompute);
  EXPECT_EQ(result.outcome.warnings,
            std::vector<std::string>{"'v' is a view or a name of 'a', which is kept in its place (policy 'p', rule 1: op "
                                     "aten.view.*; with \"kind\": \"activation\" it leaves such nodes out)"});
}

// "PREFER_RECOMPUTE: a view or a name of 'a', which is kept in its place: rule 1: kind view"
std::string reason_of(const Tagged& result, const std::string& node) {
  const PolicyReason reason = result.outcome.reasons.of(node).value();
  return std::string(name_of(reason.checkpoint_policy)) + ": " + reason.rule;
}

TEST(PolicyTags, AViewThatARuleSavesIsRecomputedBecauseItsValueIsKept) {
  const std::string fate = "PREFER_RECOMPUTE: a view or a name of 'a', which is kept in its place: ";
  EXPECT_EQ(reason_of(tagged(kNamedView, on(R"("kind": "view")", "MUST_SAVE")), "v"), fate + "rule 1: kind view");
  const Tagged otherwise = tagged(kNamedView, R"({"name": "p", "rules": [], "otherwise": true})");
  EXPECT_EQ(reason_of(otherwise, "v"), fate + "otherwise");
  EXPECT_EQ(reason_of(otherwise, "a"), "MUST_SAVE: otherwise");
  EXPECT_EQ(otherwise.outcome.warnings, std::vector<std::string>{}) << "it is about everything";
}

TEST(PolicyTags, AViewThatARulePrefersOffloadedIsRecomputedWithItsValue) {
  const Tagged result =
      tagged(kNamedView, on(R"("kind": "view")", "PREFER_CPU_OFFLOAD") + ", " + on(R"("op": "aten.mm.*")", "MUST_RECOMPUTE"));
  EXPECT_EQ(reason_of(result, "v"), "PREFER_RECOMPUTE: a view or a name of 'a', which is recomputed: rule 1: kind view");
  EXPECT_EQ(result.tags(), "a=MUST_RECOMPUTE v=PREFER_RECOMPUTE n=PREFER_RECOMPUTE");
}

TEST(PolicyTags, ASavedInputNeedsNoTag) {
  const Tagged result = tagged(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    n = xla.name_tensor.default(primals_1, "foo") : f32[4]
    s = aten.sin.default(n) : f32[4]
    g = aten.mul.Tensor(tangents_1, s) : f32[4]
    return s | g)",
                               on(R"("name": "foo")", "MUST_SAVE"));
  EXPECT_EQ(result.tags(), "n=PREFER_RECOMPUTE") << "the name is made again from the input";
  EXPECT_TRUE(result.outcome.reasons.of("primals_1"));
}

// The tags of a JAX policy that offloads the name of an input.
Tagged with_offloaded_foo(const std::string& lines) {
  return tagged("primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n" + lines,
                R"({"jax": "save_and_offload_only_these_names", "save": [], "offload": ["foo"]})");
}

TEST(PolicyTags, AJaxPolicyOffloadsAnInputThatTheBackwardTakesByItsNameOnly) {
  const Tagged result = with_offloaded_foo(R"(
    n = xla.name_tensor.default(primals_1, "foo") : f32[4]
    a = aten.add.Tensor(primals_1, n) : f32[4]
    g = aten.mul.Tensor(tangents_1, n) : f32[4]
    return a | g)");
  EXPECT_TRUE(result.outcome.offloads);
  EXPECT_TRUE(result.outcome.warnings.back().starts_with(
      "'primals_1' is an input, which is always resident: offloading it frees memory only where its caller drops it (policy "))
      << result.outcome.warnings.back();
}

TEST(PolicyTags, AJaxPolicyDoesNotOffloadAnInputThatTheBackwardTakesItself) {
  const Tagged result = with_offloaded_foo(R"(
    n = xla.name_tensor.default(primals_1, "foo") : f32[4]
    a = aten.sin.default(primals_1) : f32[4]
    b = aten.mul.Tensor(a, n) : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    return b | g)");
  EXPECT_FALSE(result.outcome.offloads);
  EXPECT_TRUE(result.outcome.warnings.back().starts_with(
      "'primals_1' is an input, which is always resident: it is not offloaded (policy ")) << result.outcome.warnings.back();
}

TEST(PolicyTags, BackwardOnlyValuesAreComputedThereFromKeptOnes) {
  EXPECT_EQ(tagged(R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    b = aten.sin.default(a) : f32[4, 4]
    c = aten.cos.default(a) : f32[4, 4] partitioner_tag=is_backward
    t = aten.t.default(c) : f32[4, 4] partitioner_tag=is_backward
    g = aten.mm.default(tangents_1, t) : f32[4, 4]
    return b | g)",
                   on(R"("op": "aten.mm.*")", "MUST_CPU_OFFLOAD"))
                .tags(),
            "a=MUST_SAVE+H c=PREFER_RECOMPUTE t=PREFER_RECOMPUTE");
}

constexpr std::string_view kPart = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[2, 4]
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    s = aten.slice.Tensor(a, 0, 0, 2) : f32[2, 4]
    n = xla.name_tensor.default(s, "q") : f32[2, 4]
    g = aten.mul.Tensor(tangents_1, n) : f32[2, 4]
    return n | g)";

TEST(PolicyTags, SavingAPartSavesTheWholeStorage) {
  const Tagged result = tagged(kPart, on(R"("name": "q")", "MUST_SAVE"));
  EXPECT_EQ(result.tags(), "a=MUST_SAVE s=PREFER_RECOMPUTE n=PREFER_RECOMPUTE");
  EXPECT_EQ(reason_of(result, "s"), "PREFER_RECOMPUTE: a part of 'a', which is kept in its place: rule 1: name q");
}

TEST(PolicyTags, APartGoesToTheHostByItself) {
  const Tagged result = tagged(kPart, on(R"("name": "q")", "MUST_CPU_OFFLOAD"));
  EXPECT_EQ(result.tags(), "s=MUST_SAVE+H n=PREFER_RECOMPUTE");
  EXPECT_TRUE(node_named(result.graph, "s").meta.kept_part);
}

constexpr std::string_view kPair = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[2]
    pair = aten.topk.default(primals_1, 2) : tuple(f32[2], i64[2])
    values = operator.getitem(pair, 0) : f32[2]
    n = xla.name_tensor.default(values, "q") : f32[2]
    g = aten.mul.Tensor(tangents_1, n) : f32[2]
    return n | g)";

TEST(PolicyTags, AnItemIsSavedByNotRunningItsOperatorAgain) {
  EXPECT_EQ(tagged(kPair, on(R"("name": "q")", "MUST_SAVE")).tags(),
            "pair=MUST_SAVE values=PREFER_SAVE n=PREFER_RECOMPUTE");
}

TEST(PolicyTags, AnItemIsComputedAgainWithItsTuple) {
  for (const std::string policy : {"MUST_RECOMPUTE", "PREFER_RECOMPUTE"}) {
    EXPECT_EQ(tagged(kPair, on(R"("name": "q")", policy)).tags(),
              "pair=" + policy + " values=" + policy + " n=" + policy);
  }
}

TEST(PolicyTags, ATupleOfWhichAPolicySpeaksDoesNotFollowItsItem) {
  const std::string rules = on(R"("name": "q")", "PREFER_RECOMPUTE") + ", " + on(R"("op": "aten.topk.*")", "PREFER_SAVE");
  EXPECT_EQ(node_named(tagged(kPair, rules).graph, "pair").meta.recompute, CheckpointPolicy::PreferSave);
}

// Inductor draws them by code of its own, which cannot be put under the state that the generator had.
TEST(PolicyTags, InductorsSeedsAreNotComputedAgain) {
  constexpr std::string_view seeded = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    seeds = prims.inductor_seeds.default(1, device(cpu)) : i64[1]
    a = aten.add.Tensor(primals_1, seeds) : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    return a | g)";
  const Tagged all = tagged(seeded, R"({"rules": [{"match": {}, "policy": "MUST_RECOMPUTE"}]})");
  EXPECT_EQ(all.tags(), "a=MUST_RECOMPUTE");
  EXPECT_EQ(all.outcome.warnings,
            std::vector<std::string>{"'seeds' draws seeds in inductor's own code, which would draw other ones a second "
                                     "time: they are not recomputed"});
  EXPECT_EQ(tagged(seeded, R"({"builtin": "recompute_all"})").outcome.warnings, std::vector<std::string>{});
}

TEST(PolicyTags, SavingATupleWarnsThatItsItemsAreSaved) {
  const Tagged result = tagged(kPair, on(R"("op": "aten.topk.*")", "MUST_SAVE"));
  EXPECT_EQ(node_named(result.graph, "pair").meta.recompute, CheckpointPolicy::MustSave);
  EXPECT_EQ(result.outcome.warnings,
            std::vector<std::string>{"'pair' is a tuple: its items are saved in its place (policy 'p', rule 1: op aten.topk.*)"});
}

TEST(PolicyTags, ATupleThatMustBeOffloadedIsRefused) {
  try {
    tagged(kPair, on(R"("op": "aten.topk.*")", "MUST_CPU_OFFLOAD"));
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'pair' (aten.topk.default) must be offloaded"), std::string::npos);
    EXPECT_NE(std::string(failure.what()).find("offload its items"), std::string::npos);
  }
}

TEST(PolicyTags, ATupleWhoseItemsAreOffloadedIsNotRefused) {
  for (const std::string policy : {"MUST_CPU_OFFLOAD", "PREFER_CPU_OFFLOAD"}) {
    const Tagged result = tagged(kPair, on(R"("kind": "activation")", policy));
    EXPECT_EQ(result.tags(), "pair=MUST_SAVE values=PREFER_SAVE+H n=PREFER_RECOMPUTE");
    EXPECT_EQ(result.outcome.warnings, std::vector<std::string>{"'pair' is a tuple: its items are offloaded in its place (policy "
                                                                "'p', rule 1: kind activation)"});
  }
}

// A tuple has the bytes of all its items.
TEST(PolicyTags, ATupleOfWhichSomeItemsAreTooSmallToBeOffloadedIsNotRefused) {
  const Tagged result = tagged(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[2]
    pair = aten.topk.default(primals_1, 2) : tuple(f32[2], i64[2])
    values = operator.getitem(pair, 0) : f32[2]
    indices = operator.getitem(pair, 1) : i64[2]
    h = aten.mul.Tensor(tangents_1, values) : f32[2]
    g = aten.mul.Tensor(h, indices) : f32[2]
    return values | g)",
                               on(R"("kind": "activation", "min_bytes": 16)", "MUST_CPU_OFFLOAD"));
  EXPECT_EQ(result.outcome.warnings,
            std::vector<std::string>{"'pair' is a tuple: 1 of its 2 items is offloaded in its place (policy 'p', rule 1: kind "
                                     "activation, at least 16 bytes)"});
}

TEST(PolicyTags, OffloadingATupleByItselfSavesItsItems) {
  EXPECT_EQ(tagged(kPair, on(R"("op": "aten.topk.*")", "PREFER_CPU_OFFLOAD")).outcome.warnings,
            std::vector<std::string>{"'pair' is a tuple: its items are saved in its place (policy 'p', rule 1: op aten.topk.*)"});
}

// The warning about `a`, which must be recomputed.
std::string warning_of(const std::string& call) {
  const Tagged result = tagged("primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\na = " + call +
                                   " : f32[4]\ng = aten.mul.Tensor(tangents_1, a) : f32[4]\nreturn a | g",
                               R"({"rules": [{"match": {}, "policy": "MUST_RECOMPUTE"}]})");
  EXPECT_LE(result.outcome.warnings.size(), 1u);
  return result.outcome.warnings.empty() ? "" : result.outcome.warnings.front();
}

TEST(PolicyTags, RecomputingARandomOperatorWarns) {
  EXPECT_TRUE(warning_of("aten.bernoulli.default(primals_1)")
                  .starts_with("'a' must be recomputed, but it draws random numbers"));
}

TEST(PolicyTags, RecomputingACollectiveWarns) {
  EXPECT_TRUE(warning_of(R"(_c10d_functional.all_reduce.default(primals_1, "sum", "0"))")
                  .starts_with("'a' must be recomputed, but it is a collective"));
}

TEST(PolicyTags, GatheringAParameterAgainDoesNotWarn) {
  const std::string gathered = R"(
    shard = placeholder : f32[1] static
    tangents_1 = placeholder : f32[4]
    gather = _c10d_functional.all_gather_into_tensor.default(shard, 4, "0") : f32[4]
    a = _c10d_functional.wait_tensor.default(gather) : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    return a | g)";
  const Tagged result = tagged(gathered, R"({"rules": [{"match": {"kind": "gathered"}, "policy": "MUST_RECOMPUTE"}]})");
  EXPECT_EQ(result.tags(), "gather=MUST_RECOMPUTE a=MUST_RECOMPUTE");
  EXPECT_EQ(result.outcome.warnings, std::vector<std::string>{});
}

TEST(PolicyTags, RecomputingAnEffectWarns) {
  EXPECT_TRUE(warning_of("aten._assert_scalar.default(primals_1, \"positive\")")
                  .starts_with("'a' must be recomputed, but it has a side effect"));
}

TEST(PolicyTags, RecomputingAPureOperatorDoesNotWarn) { EXPECT_EQ(warning_of("aten.sin.default(primals_1)"), ""); }

}  // namespace
}  // namespace fxcut
