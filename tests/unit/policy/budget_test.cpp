// The memory budget that applies.
#include "policy/budget.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kZero = R"(custom={"_region_activation_memory_budget":0})";
constexpr std::string_view kOne = R"(custom={"_region_activation_memory_budget":1.0})";

double budget(const std::string& text, const Settings& settings = {}) {
  const JointGraph joint = joint_graph(text);
  return resolve_budget(joint, classify(joint, Users(joint.graph)), settings);
}

struct Refusal {
  ExitStatus status = ExitStatus::Done;
  std::string text;
};

Refusal refusal(const std::string& text) {
  try {
    budget(text);
    return {};
  } catch (const Failure& failure) {
    return {failure.status(), failure.what()};
  }
}

std::string step(std::string_view first, std::string_view second) {
  return "primals_1 = placeholder\na = aten.sin.default(primals_1) " + std::string(first) +
         "\nb = aten.sin.default(a) " + std::string(second) + "\nreturn b | primals_1";
}

TEST(Budget, IsTheSettingUnlessTheGraphSaysMore) {
  Settings settings;
  settings.activation_memory_budget = 0;
  EXPECT_EQ(budget(step("", "")), 1);
  EXPECT_EQ(budget(step("", ""), settings), 0);
  EXPECT_EQ(budget(step("memory_budget=1.0", ""), settings), 1);
}

TEST(Budget, TheFirstOfSeveralNodesDecides) { EXPECT_EQ(budget(step("memory_budget=0.0", "memory_budget=1.0")), 0); }

TEST(Budget, ANodesIsARealNumber) { EXPECT_EQ(budget(step("memory_budget=0", "")), 1) << "PyTorch heeds no integer"; }

TEST(Budget, ARegionsComesBeforeANodes) {
  EXPECT_EQ(budget(step("memory_budget=1.0 " + std::string(kZero), kZero)), 0);
}

TEST(Budget, RegionsMustAgree) {
  const Refusal refused = refusal(step(kZero, kOne));
  EXPECT_EQ(refused.status, ExitStatus::NoPartition);
  EXPECT_NE(refused.text.find("0 (node 'a'), 1 (node 'b')"), std::string::npos) << refused.text;
}

TEST(Budget, RegionsMustCoverTheForward) {
  const Refusal refused = refusal(step(kZero, ""));
  EXPECT_EQ(refused.status, ExitStatus::NoPartition);
  EXPECT_NE(refused.text.find("has none: 'b'"), std::string::npos) << refused.text;
}

TEST(Budget, RegionsMayLeaveOutWhatTheyLikeSince2_15OnRequest) {
  Settings settings;
  settings.activation_memory_budget_require_full_coverage = false;
  EXPECT_EQ(budget(made_by(Release{15}) + step(kZero, ""), settings), 0);
  try {
    budget(made_by(Release{13}) + step(kZero, ""), settings);
    FAIL() << "2.13 does not know the setting";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).hint, "wrap the whole forward in one region, or break the graph where the "
                                                "budget changes");
  }
}

TEST(Budget, RegionsMustCoverSubgraphs) {
  const Refusal refused = refusal(subgraphs_line({{"body", "y = placeholder\ninner = aten.sin.default(y)\nreturn y"}}) +
                                  step(kZero, kZero));
  EXPECT_EQ(refused.status, ExitStatus::NoPartition);
  EXPECT_NE(refused.text.find("inner"), std::string::npos) << refused.text;
}

TEST(Budget, MayLieBetweenZeroAndOne) {
  EXPECT_EQ(budget(step("memory_budget=0.5", "")), 0.5);
  const std::string_view region = R"(custom={"_region_activation_memory_budget":0.25})";
  EXPECT_EQ(budget(step(region, region)), 0.25);
}

TEST(Budget, OutsideZeroToOneIsRefused) {
  EXPECT_EQ(refusal(step("memory_budget=1.5", "")).status, ExitStatus::NoPartition);
  EXPECT_EQ(refusal(step("memory_budget=-0.5", "")).status, ExitStatus::NoPartition);
}

}  // namespace
}  // namespace fxcut
