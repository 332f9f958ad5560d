// PyTorch's answers to one graph, side by side.
#include "partition/pytorch_points.h"

#include <gtest/gtest.h>

#include "cost/estimators.h"
#include "graph_text.h"
#include "policy/setting_rows.h"

namespace fxcut {
namespace {

// Saving `sin` keeps 64 bytes; recomputing it from the input, none beyond the input's 64.
constexpr std::string_view kText = R"(
  primals_1 = placeholder : f32[4, 4]@0 static
  tangents_1 = placeholder : f32[4, 4]@1
  mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]@2 runtime_ms=2
  sin = aten.sin.default(mm) : f32[4, 4]@3 runtime_ms=0.5
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]@4
  return sin | grad)";

std::vector<PyTorchPoint> points(std::string_view estimator, const std::vector<SettingChanges>& changes) {
  return pytorch_points(joint_graph(kText), {}, {}, find_row(estimators(), estimator)->in(estimators()), changes);
}

TEST(PyTorchPoints, AreWhatTheReportsSay) {
  const std::vector<PyTorchPoint> found = points("flops", {{}, {{"activation_memory_budget", 0.0}}});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].saved_bytes, 64);
  EXPECT_TRUE(found[0].recompute_flops == 0);
  EXPECT_EQ(show_settings(found[0]), "defaults");
  EXPECT_EQ(found[1].saved_bytes, 0) << "the parameter is always resident";
  EXPECT_TRUE(found[1].recompute_flops == 2 * 4 * 4 * 4 + 1);
  EXPECT_EQ(found[1].recompute_cost, 129);
  EXPECT_EQ(show_settings(found[1]), "activation_memory_budget=0");
  EXPECT_TRUE(found[1].peak_bytes > found[0].saved_bytes);
}

TEST(PyTorchPoints, CostWhatTheEstimatorSays) {
  EXPECT_DOUBLE_EQ(points("profile", {{{"activation_memory_budget", 0.0}}}).at(0).recompute_cost, 2.5);
}

TEST(PyTorchPoints, DecisionsThatPyTorchRefusesAreLeftOut) {
  const JointGraph joint = joint_graph(R"(
  primals_1 = placeholder : f32[4]@0 recompute=MUST_RECOMPUTE
  tangents_1 = placeholder : f32[4]@1
  sin = aten.sin.default(primals_1) : f32[4]@2
  grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]@3
  return sin | grad)");
  EXPECT_TRUE(pytorch_points(joint, {}, {}, estimators().front(), {{}}).empty());
}

TEST(PyTorchPoints, TheUsualOnesBeginWithPyTorchsDefaultsAndEndWithoutSaving) {
  const std::vector<SettingChanges> changes = usual_changes();
  EXPECT_TRUE(changes.front().empty());
  EXPECT_EQ(std::get<double>(changes.back().front().second), 0);
  for (const SettingChanges& some : changes) {
    Settings settings;
    for (const auto& [name, value] : some) EXPECT_NO_THROW(set_setting(settings, name, value, "")) << name;
  }
}

}  // namespace
}  // namespace fxcut
