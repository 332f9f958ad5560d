// The nodes that have to be saved because of the user's tags or of their operators.
#include "policy/recompute_tags.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// The names of the nodes that are to be saved after all rules.
std::string must_save(std::string_view text, const Settings& settings = {}, Release release = kNewestRelease,
                      Partitioner partitioner = Partitioner::MinCut) {
  JointGraph joint = joint_graph(text);
  joint.torch.release = release;
  resolve_recompute_tags(joint, Users(joint.graph), settings, partitioner);
  std::string names;
  for (const Node& node : joint.graph.nodes) {
    if (node.meta.recompute == CheckpointPolicy::MustSave) names += (names.empty() ? "" : " ") + node.name;
  }
  return names;
}

TEST(RecomputeTags, TheLastValueOfARegionThatFeedsALaterRegionIsSaved) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    a = aten.sin.default(x) recompute=MUST_RECOMPUTE ac_graph_id=1
    b = aten.sin.default(a) recompute=PREFER_RECOMPUTE ac_graph_id=1
    c = aten.sin.default(b) recompute=MUST_RECOMPUTE ac_graph_id=2
    d = aten.sin.default(c) recompute=MUST_RECOMPUTE ac_graph_id=1
    return d)"),
            "b")
      << "c feeds an earlier region";
}

TEST(RecomputeTags, NeedNumbersBefore2_10UnlessPoliciesTag) {
  const auto resolve = [](bool has_policies) {
    JointGraph joint = joint_graph(made_by(kTorch2_9) + R"(
      x = placeholder
      a = aten.sin.default(x) recompute=PREFER_RECOMPUTE
      b = aten.sin.default(a) recompute=PREFER_RECOMPUTE ac_graph_id=1
      return b)");
    resolve_recompute_tags(joint, Users(joint.graph), {}, Partitioner::MinCut, has_policies);
  };
  EXPECT_THROW(resolve(false), Failure);
  EXPECT_NO_THROW(resolve(true));
}

TEST(RecomputeTags, ARegionThatFeedsWhatIsNotRecomputedIsLeftAlone) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    a = aten.sin.default(x) recompute=MUST_RECOMPUTE ac_graph_id=1
    b = aten.sin.default(a) ac_graph_id=2
    return b)"),
            "");
}

TEST(RecomputeTags, RegionsWithoutANumberHaveNoBorder) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    a = aten.sin.default(x) recompute=MUST_RECOMPUTE
    b = aten.sin.default(a) recompute=MUST_RECOMPUTE ac_graph_id=2
    c = aten.sin.default(b) recompute=MUST_RECOMPUTE
    return c)"),
            "");
}

TEST(RecomputeTags, ALastValueWithABackwardHookIsSaved) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    inside = aten.sin.default(x) recompute=MUST_RECOMPUTE ac_graph_id=1 has_backward_hook=true
    last = aten.sin.default(inside) recompute=MUST_RECOMPUTE ac_graph_id=1 has_backward_hook=true
    untagged = aten.sin.default(last) has_backward_hook=true
    return untagged)"),
            "last");
}

TEST(RecomputeTags, CollectivesAreSavedUnlessTheUserWantsThemRecomputed) {
  const std::string_view text = R"(
    x = placeholder
    a = _c10d_functional.all_reduce.default(x, "sum", "0")
    b = _c10d_functional.wait_tensor.default(a)
    c = _c10d_functional.all_reduce.default(b, "sum", "0") recompute=PREFER_RECOMPUTE
    d = aten.sin.default(c)
    return d)";
  EXPECT_EQ(must_save(text), "a b");
  Settings settings;
  settings.unsafe_allow_optimization_of_collectives = true;
  EXPECT_EQ(must_save(text, settings), "");
}

TEST(RecomputeTags, ItemsOfAnEffectAreSaved) {
  EXPECT_EQ(must_save(R"(
    token = placeholder
    x = placeholder
    effect = higher_order.with_effects(token, op(my.print.default), x) : tuple(f32[0], tuple(f32[4], f32[4]))
    next_token = operator.getitem(effect, 0) : f32[0]
    results = operator.getitem(effect, 1) : tuple(f32[4], f32[4])
    result = operator.getitem(results, 1) : f32[4]
    y = aten.sin.default(result) : f32[4]
    return next_token, y)"),
            "next_token result")
      << "tuples are taken apart further";
}

constexpr std::string_view kEffects = R"(
    token = placeholder
    a = higher_order.with_effects(token, op(my.print.default)) partitioner_tag=is_backward
    a_token = operator.getitem(a, 0) : f32[0]
    b = higher_order.with_effects(token, op(my.print.default)) recompute=PREFER_RECOMPUTE
    b_token = operator.getitem(b, 0) : f32[0]
    return a_token, b_token)";

TEST(RecomputeTags, EffectsOfTheBackwardAreLeftAloneAndBefore2_15ThoseToBeRecomputed) {
  EXPECT_EQ(must_save(kEffects, {}, Release{13}), "");
  EXPECT_EQ(must_save(kEffects, {}, Release{15}), "b_token");
}

TEST(RecomputeTags, AnEffectThatMustBeRecomputedIsRefusedSince2_15) {
  constexpr std::string_view text = R"(
    token = placeholder
    b = higher_order.with_effects(token, op(my.print.default)) recompute=MUST_RECOMPUTE
    return b)";
  EXPECT_EQ(must_save(text, {}, Release{13}), "");
  try {
    must_save(text, {}, Release{15});
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'b' has an effect and must be recomputed"), std::string::npos);
  }
}

TEST(RecomputeTags, ItemsOfACollectiveWithSeveralResultsAreSavedSince2_15) {
  constexpr std::string_view text = R"(
    x = placeholder
    all = _c10d_functional.all_gather_into_tensor_coalesced.default([x], 2, "0") : tuple(f32[8])
    item = operator.getitem(all, 0) : f32[8]
    return item)";
  EXPECT_EQ(must_save(text, {}, Release{13}), "all");
  EXPECT_EQ(must_save(text, {}, Release{15}), "item");
}

TEST(RecomputeTags, ItemsThatAreKeysOfItemsAreVisitedOnce) {
  // Two items a layer, each the other's key: 2^60 ways through.
  std::string text = R"(
    x = placeholder
    all = _c10d_functional.all_gather_into_tensor_coalesced.default([x], 2, "0") : tuple(f32[8])
    g0 = operator.getitem(all, 0) : tuple(f32[8])
    h0 = operator.getitem(all, 1) : tuple(f32[8])
)";
  for (int layer = 1; layer <= 60; ++layer) {
    const std::string before = std::to_string(layer - 1), here = std::to_string(layer);
    text += "g" + here + " = operator.getitem(g" + before + ", h" + before + ") : f32[8]\n";
    text += "h" + here + " = operator.getitem(h" + before + ", g" + before + ") : f32[8]\n";
  }
  EXPECT_EQ(must_save(text + "return g60"), "g60 h60");
}

TEST(RecomputeTags, TheDefaultPartitionerSavesARegionsInputs) {
  constexpr std::string_view text = R"(
    x = placeholder
    a = aten.sin.default(x)
    b = aten.cos.default(a) recompute=PREFER_RECOMPUTE ac_graph_id=1
    c = aten.exp.default(a)
    return b, c)";
  EXPECT_EQ(must_save(text, {}, Release{13}, Partitioner::MinCut), "");
  EXPECT_EQ(must_save(text, {}, Release{13}, Partitioner::Default), "a");
}

TEST(RecomputeTags, ForwardWritesToInputsThatTheBackwardWritesTooAreSaved) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    z = placeholder
    forward_value = aten.sin.default(x)
    backward_value = aten.cos.default(x)
    other_value = aten.exp.default(x)
    a = aten.copy_.default(x, forward_value) partitioner_tag=must_be_in_forward
    b = aten.copy_.default(z, other_value) partitioner_tag=must_be_in_forward
    c = aten.copy_.default(x, backward_value) partitioner_tag=must_be_in_backward
    return x)"),
            "forward_value");
}

TEST(RecomputeTags, OnlyMutationsAtTheEndCount) {
  EXPECT_EQ(must_save(R"(
    x = placeholder
    forward_value = aten.sin.default(x)
    a = aten.copy_.default(x, forward_value) partitioner_tag=must_be_in_forward
    between = aten.cos.default(x)
    c = aten.copy_.default(x, between) partitioner_tag=must_be_in_backward
    return x)"),
            "");
}

TEST(RecomputeTags, RandomOperatorsAreThoseTaggedNondeterministicSeeded) {
  const auto has = [](std::string_view call) {
    return has_recomputable_rng_ops(joint_graph("x = placeholder\na = " + std::string(call) + "\nreturn a").graph);
  };
  EXPECT_TRUE(has("aten.bernoulli.default(x) recompute=MUST_RECOMPUTE"));
  EXPECT_FALSE(has("aten.bernoulli.default(x)"));
  EXPECT_FALSE(has("aten.sin.default(x) recompute=MUST_RECOMPUTE"));
}

}  // namespace
}  // namespace fxcut
