// Settings by name: accepted values, and messages about others.
#include "policy/setting_rows.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// The message about a setting; empty if it is accepted.
std::string refusal(std::string_view name, const SettingValue& value) {
  Settings settings;
  try {
    set_setting(settings, name, value, "--set");
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    return failure.what();
  }
}

TEST(Settings, TextMeansABooleanANumberOrAString) {
  EXPECT_EQ(parse_setting_value("cse", "true"), SettingValue(true));
  EXPECT_EQ(parse_setting_value("cse", "True"), SettingValue(true));
  EXPECT_EQ(parse_setting_value("cse", "false"), SettingValue(false));
  EXPECT_EQ(parse_setting_value("cse", "False"), SettingValue(false));
  EXPECT_EQ(parse_setting_value("cse", "-12"), SettingValue(std::int64_t{-12}));
  EXPECT_EQ(parse_setting_value("cse", "1.0"), SettingValue(1.0));
  EXPECT_EQ(parse_setting_value("cse", "1e3"), SettingValue(1000.0));
  EXPECT_EQ(parse_setting_value("torch_version", "2.10"), SettingValue(std::string("2.10"))) << "not the number 2.1";
  EXPECT_EQ(parse_setting_value("cse", "12x"), SettingValue(std::string("12x")));
  EXPECT_EQ(parse_setting_value("cse", ""), SettingValue(std::string()));
}

TEST(Settings, EachCanBeSetToWhatItIs) {
  Settings settings;
  for (const SettingRow& row : setting_rows()) {
    const SettingValue value = row.get(settings);
    EXPECT_NO_THROW(set_setting(settings, row.name, value, "")) << row.name;
    EXPECT_EQ(row.get(settings), value) << row.name;
  }
}

TEST(Settings, EachFlagSetsItselfAlone) {
  for (const SettingRow& row : setting_rows()) {
    const Settings defaults;
    const bool* before = nullptr;
    const SettingValue value = row.get(defaults);
    before = std::get_if<bool>(&value);
    if (!before || row.name == "enable_activation_offloading") continue;
    Settings settings;
    set_setting(settings, row.name, !*before, "");
    for (const SettingRow& other : setting_rows()) {
      EXPECT_EQ(other.get(settings) != other.get(defaults), other.name == row.name)
          << row.name << " and " << other.name;
    }
  }
}

TEST(Settings, NumbersAndNames) {
  Settings settings;
  set_setting(settings, "max_dist_from_bw", std::int64_t{3}, "");
  set_setting(settings, "activation_memory_budget", std::int64_t{0}, "");
  set_setting(settings, "cut_side", std::string("nearest_forward"), "");
  EXPECT_EQ(settings.max_dist_from_bw, 3);
  EXPECT_EQ(settings.activation_memory_budget, 0);
  EXPECT_EQ(settings.cut_side, CutSide::NearestForward);
}

TEST(Settings, WrongKindsOfValuesAreRefused) {
  EXPECT_EQ(refusal("cse", std::int64_t{1}), "fxcut: --set: error: setting 'cse' is '1'; expected true or false");
  EXPECT_EQ(refusal("max_dist_from_bw", 1.5),
            "fxcut: --set: error: setting 'max_dist_from_bw' is '1.5'; expected an integer");
  EXPECT_EQ(refusal("cut_side", std::string("left")),
            "fxcut: --set: error: setting 'cut_side' is 'left'; expected nearest_backward or nearest_forward");
  EXPECT_EQ(refusal("activation_memory_budget", 1.5),
            "fxcut: --set: error: setting 'activation_memory_budget' is '1.5'; expected a number from 0 to 1");
  EXPECT_EQ(refusal("activation_memory_budget", true),
            "fxcut: --set: error: setting 'activation_memory_budget' is 'true'; expected a number from 0 to 1");
}

TEST(Settings, AWordThatIsNotKnownIsRefusedWithTheNearest) {
  EXPECT_EQ(refusal("activation_memory_budget_solver", std::string("gready")),
            "fxcut: --set: error: setting 'activation_memory_budget_solver' is 'gready'; expected dp, greedy, ilp, "
            "dp_knapsack_sliding_hirschberg, dynamic_memory_budget_dp or frontier\n  did you mean 'greedy'?");
  EXPECT_EQ(refusal("activation_memory_budget_runtime_estimator", std::string("profiles")),
            "fxcut: --set: error: setting 'activation_memory_budget_runtime_estimator' is 'profiles'; expected by_solver, flops, "
            "testing, roofline or profile\n  did you mean 'profile'?");
}

TEST(Settings, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(refusal("recompute_view", true),
            "fxcut: --set: error: unknown setting 'recompute_view'\n  did you mean 'recompute_views'?");
  EXPECT_EQ(refusal("zzz", true), "fxcut: --set: error: unknown setting 'zzz'\n  'fxcut help settings' lists them");
}

TEST(Settings, AReleaseIsNamedByTextOrNumber) {
  Settings settings;
  set_setting(settings, "torch_version", 2.13, "");
  EXPECT_EQ(settings.torch_version, "2.13");
  set_setting(settings, "torch_version", std::string("2.15.0"), "");
  EXPECT_EQ(settings.torch_version, "2.15.0");
  EXPECT_NE(refusal("torch_version", std::string("2.16")), "");
  EXPECT_NE(refusal("torch_version", std::int64_t{2}), "");
  EXPECT_NE(refusal("torch_version", 2.10), "") << "which is 2.1";
}

TEST(Settings, ABandwidthIsAboveZero) {
  EXPECT_EQ(refusal("activation_offload_cpu_gpu_bw", 0.5), "");
  EXPECT_NE(refusal("activation_offload_cpu_gpu_bw", std::int64_t{0}), "");
  EXPECT_NE(refusal("activation_offload_cpu_gpu_bw", -1.0), "");
}

}  // namespace
}  // namespace fxcut
