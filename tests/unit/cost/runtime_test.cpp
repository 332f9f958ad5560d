// Estimated run times, by hand.
#include "cost/estimators.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cost/device_profile.h"
#include "graph_text.h"
#include "policy/setting_rows.h"

namespace fxcut {
namespace {

// The run time of `call` in a graph of these lines, on an H100 of 495 TFLOPS (float32), 989 (float16) and 3350 GB/s.
double runtime_ms(const std::string& lines, Settings settings = {}, Release release = kNewestRelease) {
  const JointGraph joint = joint_graph(lines + "\nreturn call");
  if (!settings.device_profile) settings.device_profile = find_row(device_profiles(), "h100");
  return compute_ms(joint.graph, node_named(joint.graph, "call"), device_of(settings, joint.graph).profile, release);
}

std::string product(const std::string& value, const std::string& words = "") {
  return "a = placeholder : " + value + "\ncall = aten.mm.default(a, a) : " + value + words;
}

TEST(Runtime, IsTheMeasuredOneWhereTheGraphHasIt) {
  EXPECT_EQ(runtime_ms(product("f32[8, 8]", " runtime_ms=2.5")), 2.5);
  EXPECT_EQ(runtime_ms(product("f32[8, 8]", " runtime_ms=0")), 0);
}

TEST(Runtime, IsZeroForNodesThatDoNotCompute) {
  EXPECT_EQ(runtime_ms("a = placeholder : f32[8]\ncall = aten.sin.default(a) : f32[8] runtime_ms=2.5"), 0);
  EXPECT_EQ(runtime_ms("call = placeholder : f32[8] runtime_ms=2.5"), 0);
  EXPECT_EQ(runtime_ms("call = get_attr call : f32[8] runtime_ms=2.5"), 0);
}

TEST(Runtime, LargeProductsRunAtThePeakRate) {
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[4096, 4096]")), 1000 * (2 * 4096.0 * 4096 * 4096) / 67e12);
  EXPECT_DOUBLE_EQ(runtime_ms(product("bf16[4096, 4096]")), 1000 * (2 * 4096.0 * 4096 * 4096) / 989e12);
}

TEST(Runtime, SmallProductsRunAtTheMemorysRate) {
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[16, 16]")), 1000 * (3 * 16 * 16 * 4.0) / 3350e9)
      << "an operand that is given twice is read twice";
}

TEST(Runtime, DependsOnTheDevice) {
  Settings settings;
  settings.device_profile = *find_row(device_profiles(), "mi300x");
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[16, 16]"), settings), 1000 * (3 * 16 * 16 * 4.0) / 5300e9);
}

TEST(Runtime, IsTheSumOfATuplesTensors) {
  const std::string lines =
      "x = placeholder : f32[1, 1, 4, 8]\ncall = aten._scaled_dot_product_flash_attention.default(x, x, x) : "
      "tuple(f32[1, 1, 4, 8], tuple(f32[1, 1, 4]), none)";
  EXPECT_DOUBLE_EQ(runtime_ms(lines), 1000 * (3 * 128 + 128 + 16.0) / 3350e9);
}

TEST(Runtime, IsZeroWithoutAShape) { EXPECT_EQ(runtime_ms("a = placeholder\ncall = aten.mm.default(a, a)"), 0); }

TEST(Runtime, ComputeNodesAreWhatTheReleasesFlopCounterKnows) {
  const auto counts = [](const std::string& call, Release release) {
    const JointGraph joint = joint_graph("x = placeholder\ncall = " + call + "\nreturn call");
    return is_compute_node(node_named(joint.graph, "call"), release);
  };
  EXPECT_TRUE(counts("aten.mm.out(x, x, out=x)", Release{13})) << "any overload";
  EXPECT_TRUE(counts("higher_order.flex_attention(x)", Release{13}));
  EXPECT_FALSE(counts("aten.linear.default(x, x)", Release{15})) << "counted by what it is made of";
  EXPECT_FALSE(counts("aten.scaled_dot_product_attention.default(x, x, x)", Release{15}));
  EXPECT_FALSE(counts("aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x)", Release{13}));
  EXPECT_TRUE(counts("aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x)", Release{15}));
}

TEST(DeviceProfiles, AreThoseThatTheSettingTakes) {
  const auto row = std::find_if(setting_rows().begin(), setting_rows().end(),
                                [](const SettingRow& r) { return r.name == "device_profile"; });
  for (const DeviceProfile& profile : device_profiles()) {
    Settings settings;
    EXPECT_TRUE(row->set(settings, std::string(profile.name))) << profile.name;
    EXPECT_NE(row->expects.find(profile.name), std::string_view::npos) << profile.name;
    EXPECT_EQ(device_of(settings, Graph()).profile.name, profile.name);
    EXPECT_EQ(device_of(settings, Graph()).from, DeviceFrom::Given);
    EXPECT_FALSE(profile.source.empty());
  }
  EXPECT_FALSE(find_row(device_profiles(), "v100"));
}

// The name of the device that is assumed for a graph of one value.
std::string assumed(const std::string& value) {
  const JointGraph joint = joint_graph("call = placeholder : " + value + "\nreturn call");
  const EstimatedDevice device = device_of({}, joint.graph);
  EXPECT_EQ(device.from, DeviceFrom::Graph);
  return device.profile.name;
}

TEST(DeviceProfiles, WithoutASettingTheGraphSaysOfWhichKindTheDeviceIs) {
  EXPECT_EQ(assumed("f32[8] on cpu"), "epyc_9654");
  EXPECT_EQ(assumed("f32[8] on cuda:0"), "h100");
  EXPECT_EQ(assumed("tuple(f32[8] on cpu, f32[8] on cuda:0)"), "h100") << "a step on a GPU has numbers on the CPU, too";
  EXPECT_EQ(assumed("f32[8] on xla:0"), "tpu_v5p");
}

TEST(DeviceProfiles, SayWhereTheirFiguresAreFrom) {
  std::string measured;
  for (const DeviceProfile& profile : device_profiles()) {
    EXPECT_FALSE(profile.source.empty()) << profile.name;
    if (profile.source.find("measured") != std::string::npos) measured += profile.name;
  }
  EXPECT_EQ(measured, "h100");
}

TEST(DeviceProfiles, HaveARateForEachWidthOfDtype) {
  const DeviceProfile& a100 = find_row(device_profiles(), "a100")->in(device_profiles());
  const auto tflops = [&](std::string_view dtype) { return peak_flops(a100, *find_dtype(dtype)) / 1e12; };
  EXPECT_DOUBLE_EQ(tflops("float64"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("complex128"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("float32"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("int64"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("bfloat16"), 312);
  EXPECT_DOUBLE_EQ(tflops("float8_e4m3fn"), 624);
  EXPECT_DOUBLE_EQ(tflops("int8"), 624);
}

TEST(DeviceProfiles, ProductsUseTF32WhereItIsAllowed) {
  const Dtype& float32 = *find_dtype("float32");
  const auto tflops = [&](std::string_view name, std::string_view precision, bool is_convolution) {
    Settings settings;
    set_setting(settings, "device_profile", SettingValue(std::string(name)), "test");
    if (!precision.empty()) set_setting(settings, "float32_matmul_precision", SettingValue(std::string(precision)), "test");
    return peak_flops(device_of(settings, Graph()).profile, float32, is_convolution) / 1e12;
  };
  EXPECT_DOUBLE_EQ(tflops("h100", "", false), 67);
  EXPECT_DOUBLE_EQ(tflops("h100", "highest", false), 67);
  EXPECT_DOUBLE_EQ(tflops("h100", "high", false), 495);
  EXPECT_DOUBLE_EQ(tflops("h100", "medium", false), 495);
  EXPECT_DOUBLE_EQ(tflops("h100", "", true), 495) << "torch.backends.cudnn.allow_tf32 is set";
  EXPECT_DOUBLE_EQ(tflops("mi355x", "high", true), 157.3) << "has none";
}

}  // namespace
}  // namespace fxcut
