// The values that each of JAX's policies permits to save.
#include "policy/jax_policies.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

using Names = ValueNames;
constexpr auto kNo = Permission::No;
constexpr auto kSave = Permission::Save;
constexpr auto kOffload = Permission::Offload;
constexpr auto kRefused = Permission::Refused;

Permission permits(const JaxPolicy& policy, std::string_view target, const Names& names = {}) {
  const JointGraph joint =
      joint_graph("x = placeholder\na = " + std::string(target) + "(x, x)\nreturn a");
  return JaxPermission(policy)({node_named(joint.graph, "a"), names, names});
}

JaxPolicy of_kind(std::string kind) {
  JaxPolicy policy;
  policy.kind = std::move(kind);
  return policy;
}

JaxPolicy on_names(std::string kind, std::vector<std::string> names) {
  JaxPolicy policy = of_kind(std::move(kind));
  policy.names = std::move(names);
  return policy;
}

JaxPolicy save_and_offload(std::vector<std::string> save, std::vector<std::string> offload) {
  JaxPolicy policy = of_kind("save_and_offload_only_these_names");
  policy.save = std::move(save);
  policy.offload = std::move(offload);
  return policy;
}

JaxPolicy both(JaxPolicy first, JaxPolicy second) {
  JaxPolicy policy = of_kind("save_from_both_policies");
  policy.policies = {std::move(first), std::move(second)};
  return policy;
}

TEST(JaxPolicies, EverythingAndNothing) {
  EXPECT_EQ(permits(of_kind("everything_saveable"), "aten.sin.default"), kSave);
  EXPECT_EQ(permits(of_kind("nothing_saveable"), "aten.mm.default", {"q"}), kNo);
}

TEST(JaxPolicies, DotsAreProductsOfMatricesAndConvolutions) {
  for (const char* kind : {"dots_saveable", "checkpoint_dots"}) {
    for (const char* target :
         {"aten.mm.default", "aten.addmm.default", "aten.bmm.default", "aten.convolution.default"}) {
      EXPECT_EQ(permits(of_kind(kind), target), kSave) << kind << " " << target;
    }
    EXPECT_EQ(permits(of_kind(kind), "aten.mul.Tensor", {"q"}), kNo) << kind;
  }
}

TEST(JaxPolicies, DotsWithNoBatchDimsLeaveOutBmmAndConvolutions) {
  const JaxPolicy policy = of_kind("dots_with_no_batch_dims_saveable");
  EXPECT_EQ(permits(policy, "aten.mm.default"), kSave);
  EXPECT_EQ(permits(policy, "aten.addmm.default"), kSave);
  EXPECT_EQ(permits(policy, "aten.bmm.default"), kNo);
  EXPECT_EQ(permits(policy, "aten.convolution.default"), kNo);
}

TEST(JaxPolicies, OffloadOfDotsWithNoBatchDims) {
  const JaxPolicy policy = of_kind("offload_dot_with_no_batch_dims");
  EXPECT_EQ(permits(policy, "aten.mm.default"), kOffload);
  EXPECT_EQ(permits(policy, "aten.addmm.default"), kOffload);
  EXPECT_EQ(permits(policy, "aten.bmm.default"), kNo);
  EXPECT_EQ(permits(policy, "aten.sin.default"), kNo);
}

TEST(JaxPolicies, OnlyTheseNames) {
  const JaxPolicy policy = on_names("save_only_these_names", {"q", "k"});
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k"}), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"v", "q"}), kSave) << "one of its names is listed";
  EXPECT_EQ(permits(policy, "aten.sin.default", {"v"}), kNo);
  EXPECT_EQ(permits(policy, "aten.mm.default"), kNo);
}

TEST(JaxPolicies, AnyNamesButTheseSaveNothingWithoutAName) {
  const JaxPolicy policy = on_names("save_any_names_but_these", {"q"});
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k"}), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"q"}), kNo);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k", "q"}), kSave) << "it has another name";
  EXPECT_EQ(permits(policy, "aten.mm.default"), kNo);
}

TEST(JaxPolicies, AnythingExceptTheseNamesDoesNotSaveTheExcludedValueUnderAnother) {
  const JaxPolicy policy = on_names("save_anything_except_these_names", {"q"});
  EXPECT_EQ(permits(policy, "aten.sin.default"), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k"}), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"q"}), kRefused);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k", "q"}), kRefused);
}

TEST(JaxPolicies, AnythingExceptTheseNamesDoesNotSaveACopyOfTheExcludedValue) {
  const JointGraph joint = joint_graph("x = placeholder\na = aten.clone.default(x)\nreturn a");
  const Names none, excluded = {"q"};
  const JaxPolicy policy = on_names("save_anything_except_these_names", {"q"});
  EXPECT_EQ(JaxPermission(policy)({node_named(joint.graph, "a"), none, excluded}), kRefused);
}

TEST(JaxPolicies, TheLastOfSeveralNamesDecidesWhereTheValueLives) {
  EXPECT_EQ(permits(save_and_offload({"b"}, {"a"}), "aten.sin.default", {"a", "b"}), kSave);
  EXPECT_EQ(permits(save_and_offload({"a"}, {"b"}), "aten.sin.default", {"a", "b"}), kOffload);
  EXPECT_EQ(permits(save_and_offload({"a"}, {}), "aten.sin.default", {"a", "b"}), kSave);
}

TEST(JaxPolicies, SomeNamesAreSavedAndSomeOffloaded) {
  const JaxPolicy policy = save_and_offload({"q"}, {"k"});
  EXPECT_EQ(permits(policy, "aten.sin.default", {"q"}), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"k"}), kOffload);
  EXPECT_EQ(permits(policy, "aten.mm.default", {"v"}), kNo);
}

TEST(JaxPolicies, FromBothEitherPermissionIsEnough) {
  const JaxPolicy policy = both(of_kind("dots_saveable"), on_names("save_only_these_names", {"q"}));
  EXPECT_EQ(permits(policy, "aten.bmm.default"), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default", {"q"}), kSave);
  EXPECT_EQ(permits(policy, "aten.sin.default"), kNo);
}

TEST(JaxPolicies, FromBothTheFirstThatPermitsDecidesWhere) {
  const JaxPolicy host = of_kind("offload_dot_with_no_batch_dims"), device = of_kind("dots_saveable");
  EXPECT_EQ(permits(both(host, device), "aten.mm.default"), kOffload);
  EXPECT_EQ(permits(both(device, host), "aten.mm.default"), kSave);
}

TEST(JaxPolicies, ValidOnesHaveNoMistake) {
  for (const std::string_view kind : jax_policy_names()) {
    JaxPolicy policy = of_kind(std::string(kind));
    if (kind == "save_from_both_policies") policy = both(of_kind("dots_saveable"), save_and_offload({"q"}, {"k"}));
    EXPECT_EQ(mistake_in(policy), std::nullopt) << kind;
  }
  EXPECT_EQ(jax_policy_names().size(), 12u);
}

TEST(JaxPolicies, AnUnknownOneIsReportedWithTheNearest) {
  EXPECT_EQ(mistake_in(of_kind("dot_saveable")), "unknown JAX policy 'dot_saveable'; did you mean 'dots_saveable'?");
}

TEST(JaxPolicies, AnUnknownOneWithNoneNearIsReportedWithAll) {
  const auto mistake = mistake_in(of_kind("xyz"));
  ASSERT_TRUE(mistake);
  EXPECT_TRUE(mistake->starts_with("unknown JAX policy 'xyz'; expected one of everything_saveable, nothing_saveable, "))
      << *mistake;
}

TEST(JaxPolicies, ListsThatAreNotTakenAreMistakes) {
  EXPECT_EQ(mistake_in(on_names("dots_saveable", {"q"})), "'dots_saveable' takes no names");
  JaxPolicy policy = save_and_offload({"q"}, {});
  policy.kind = "save_only_these_names";
  EXPECT_EQ(mistake_in(policy), "'save_only_these_names' takes no lists save and offload");
  policy = both(of_kind("dots_saveable"), of_kind("nothing_saveable"));
  policy.kind = "dots_saveable";
  EXPECT_EQ(mistake_in(policy), "'dots_saveable' takes no policies");
}

TEST(JaxPolicies, ANameInBothListsIsAMistake) {
  const auto mistake = mistake_in(save_and_offload({"q", "k"}, {"v", "k"}));
  ASSERT_TRUE(mistake);
  EXPECT_TRUE(mistake->starts_with("'k' is to be saved and to be offloaded")) << *mistake;
}

TEST(JaxPolicies, FromBothTakesTwo) {
  JaxPolicy policy = both(of_kind("dots_saveable"), of_kind("nothing_saveable"));
  policy.policies.pop_back();
  EXPECT_EQ(mistake_in(policy),
            "'save_from_both_policies' takes two policies, found 1; a policy file takes them as 'policies'");
}

TEST(JaxPolicies, AMistakeInAPartIsOneOfTheWhole) {
  const JaxPolicy policy = both(of_kind("dots_saveable"), on_names("nothing_saveable", {"q"}));
  EXPECT_EQ(mistake_in(policy), "'nothing_saveable' takes no names");
}

TEST(JaxPolicies, AreDescribedByNameAndArguments) {
  EXPECT_EQ(describe(of_kind("dots_saveable")), "dots_saveable");
  EXPECT_EQ(describe(on_names("save_only_these_names", {"q", "k"})), "save_only_these_names(q, k)");
  EXPECT_EQ(describe(both(of_kind("dots_saveable"), save_and_offload({"q"}, {"k"}))),
            "save_from_both_policies(dots_saveable, save_and_offload_only_these_names(save q, offload k))");
}

}  // namespace
}  // namespace fxcut
