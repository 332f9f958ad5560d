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
  return compute_ms(joint.graph, node_named(joint.graph, "call"), settings, release);
}

std::string product(const std::string& value, const std::string& words = "") {
  return "a = placeholder : " + value + "\ncall = aten.mm.default(a, a) : " + value + words;
}

TEST(Runtime, IsTheMeasuredOneWhereTheGraphHasIt) {
  EXPECT_EQ(runtime_ms(product("f32[8, 8]", " runtime_ms=2.5")), 2.5);
  EXPECT_EQ(runtime_ms(product("f32[8, 8]", " runtime_ms=0")), 0);
}

TEST(Runtime, OfOtherThanComputeNodesIsZero) {
  EXPECT_EQ(runtime_ms("a = placeholder : f32[8]\ncall = aten.sin.default(a) : f32[8] runtime_ms=2.5"), 0);
  EXPECT_EQ(runtime_ms("call = placeholder : f32[8] runtime_ms=2.5"), 0);
  EXPECT_EQ(runtime_ms("call = get_attr call : f32[8] runtime_ms=2.5"), 0);
}

TEST(Runtime, OfALargeProductIsItsOperationsAtThePeakRate) {
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[4096, 4096]")), 1000 * (2 * 4096.0 * 4096 * 4096) / 495e12);
  EXPECT_DOUBLE_EQ(runtime_ms(product("bf16[4096, 4096]")), 1000 * (2 * 4096.0 * 4096 * 4096) / 989e12);
}

TEST(Runtime, OfASmallProductIsItsBytesAtTheMemorysRate) {
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[16, 16]")), 1000 * (3 * 16 * 16 * 4.0) / 3350e9)
      << "an operand that is given twice is read twice";
}

TEST(Runtime, DependsOnTheDevice) {
  Settings settings;
  settings.device_profile = *find_row(device_profiles(), "mi300x");
  EXPECT_DOUBLE_EQ(runtime_ms(product("f32[16, 16]"), settings), 1000 * (3 * 16 * 16 * 4.0) / 5300e9);
}

TEST(Runtime, OfATupleIsThatOfItsTensors) {
  const std::string lines =
      "x = placeholder : f32[1, 1, 4, 8]\ncall = aten._scaled_dot_product_flash_attention.default(x, x, x) : "
      "tuple(f32[1, 1, 4, 8], tuple(f32[1, 1, 4]), none)";
  EXPECT_DOUBLE_EQ(runtime_ms(lines), 1000 * (3 * 128 + 128 + 16.0) / 3350e9);
}

TEST(Runtime, OfWhatIsNotDescribedIsZero) { EXPECT_EQ(runtime_ms("a = placeholder\ncall = aten.mm.default(a, a)"), 0); }

// The run time of `call`, whatever it computes.
double roofline_ms(const std::string& lines, const Settings& settings = {}) {
  const JointGraph joint = joint_graph(lines + "\nreturn call");
  return runtime_ms(joint.graph, node_named(joint.graph, "call"), settings, kNewestRelease);
}

TEST(Roofline, OfAPointwiseOperatorIsItsBytesAtTheMemorysRate) {
  EXPECT_DOUBLE_EQ(roofline_ms("a = placeholder : f32[1000]\ncall = aten.sin.default(a) : f16[1000]"),
                   1000 * 6000.0 / 3350e9);
}

TEST(Roofline, LooksAtNoMeasuredTime) {
  EXPECT_DOUBLE_EQ(roofline_ms("a = placeholder : f32[1000]\ncall = aten.sin.default(a) : f32[1000] runtime_ms=7"),
                   1000 * 8000.0 / 3350e9);
}

TEST(Roofline, OfAProductGoesByTheDtypeOfItsOperands) {
  EXPECT_DOUBLE_EQ(roofline_ms("a = placeholder : float8_e4m3fn[4096, 4096]\n"
                               "call = aten._scaled_mm.default(a, a) : bf16[4096, 4096]"),
                   1000 * (2 * 4096.0 * 4096 * 4096) / 1979e12);
}

TEST(Roofline, AnExpandedOperandIsReadOnce) {
  EXPECT_DOUBLE_EQ(roofline_ms("a = placeholder : f32[100, 1000]{0, 1}\ncall = aten.sum.default(a) : f32[1]"),
                   1000 * 4004.0 / 3350e9);
}

TEST(Roofline, OfWhatComputesNothingIsZero) {
  EXPECT_EQ(roofline_ms("a = placeholder : f32[1000]\ncall = aten.view.default(a, [10, 100]) : f32[10, 100]"), 0);
  EXPECT_EQ(roofline_ms("call = placeholder : f32[1000]"), 0);
}

TEST(Roofline, IsThatOfTheSettingsOwnDevice) {
  Settings settings;
  settings.device_profile = *find_row(device_profiles(), "a100");
  settings.own_device = std::make_shared<const DeviceProfile>(DeviceProfile{"mine", 1, 1, 1, 1, 100, "a guess"});
  EXPECT_DOUBLE_EQ(roofline_ms("a = placeholder : f32[1000]\ncall = aten.sin.default(a) : f32[1000]", settings),
                   1000 * 8000.0 / 100e9);
}

TEST(Runtime, ComputeNodesAreWhatTheReleasesFlopCounterKnows) {
  const auto counts = [](const std::string& call, Release release) {
    const JointGraph joint = joint_graph("x = placeholder\ncall = " + call + "\nreturn call");
    return is_compute_node(node_named(joint.graph, "call"), release);
  };
  EXPECT_TRUE(counts("aten.mm.out(x, x, out=x)", kTorch2_13)) << "any overload";
  EXPECT_TRUE(counts("higher_order.flex_attention(x)", kTorch2_13));
  EXPECT_FALSE(counts("aten.linear.default(x, x)", kTorch2_15)) << "counted by what it is made of";
  EXPECT_FALSE(counts("aten.scaled_dot_product_attention.default(x, x, x)", kTorch2_15));
  EXPECT_FALSE(counts("aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x)", kTorch2_13));
  EXPECT_TRUE(counts("aten._scaled_dot_product_flash_attention_for_cpu.default(x, x, x)", kTorch2_15));
}

TEST(DeviceProfiles, AreThoseThatTheSettingTakes) {
  const auto row = std::find_if(setting_rows().begin(), setting_rows().end(),
                                [](const SettingRow& r) { return r.name == "device_profile"; });
  for (const DeviceProfile& profile : device_profiles()) {
    Settings settings;
    EXPECT_TRUE(row->set(settings, std::string(profile.name))) << profile.name;
    EXPECT_NE(row->expects.find(profile.name), std::string_view::npos) << profile.name;
    EXPECT_EQ(&device_of(settings), &profile);
    EXPECT_FALSE(profile.source.empty());
  }
  EXPECT_EQ(&device_of({}), &device_profiles().front());
  EXPECT_FALSE(find_row(device_profiles(), "v100"));
}

TEST(DeviceProfiles, HaveARateForEachWidthOfDtype) {
  const DeviceProfile& a100 = find_row(device_profiles(), "a100")->in(device_profiles());
  const auto tflops = [&](std::string_view dtype) { return peak_flops(a100, *find_dtype(dtype)) / 1e12; };
  EXPECT_DOUBLE_EQ(tflops("float64"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("complex128"), 19.5);
  EXPECT_DOUBLE_EQ(tflops("float32"), 156);
  EXPECT_DOUBLE_EQ(tflops("int64"), 156);
  EXPECT_DOUBLE_EQ(tflops("bfloat16"), 312);
  EXPECT_DOUBLE_EQ(tflops("float8_e4m3fn"), 624);
  EXPECT_DOUBLE_EQ(tflops("int8"), 624);
}

}  // namespace
}  // namespace fxcut
