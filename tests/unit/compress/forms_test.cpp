// The costs of forms of fewer bits: the bytes that their kernels read and write beyond those of the kernels that run in any case.
#include "compress/forms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "extract/roles.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

constexpr double kValue = 4.0 * 1024 * 1024, kForm = kValue / 4 + 4 * 1024;  // bytes of 1024 rows, each with a scale

Settings on_device(double least_us) {
  auto device = std::make_shared<DeviceProfile>(device_profiles().front());
  device->kernels.least_us = least_us;
  Settings settings;
  settings.compress = Compress::Auto;
  settings.own_device = std::move(device);
  return settings;
}

// The cost for `x`, which the forward makes with `maker` and the backward uses with `user`, in picoseconds.
Int128 cost_of_form(const std::string& maker, const std::string& user, const Settings& settings) {
  const JointGraph joint = joint_graph(
      "w = placeholder : f32[1024, 1024]@0 static\nprimals_1 = placeholder : f32[1024, 1024]@1\n"
      "tangents_1 = placeholder : f32[1024, 1024]@2\nx = " + maker + " : f32[1024, 1024]{1024, 1}@3\n"
      "y = aten.sin.default(x) : f32[1024, 1024]{1024, 1}@4\n"
      "g = " + user + " : f32[1024, 1024]{1024, 1}@5\nreturn y | None, g\n");
  Settings undecided = settings;
  undecided.compress = Compress::None;  // there is no limit
  const Decision decision = decide(joint, undecided, {}, kNeverHalt);
  const auto distance = distance_from_backward(decision.joint.graph, decision.users, decision.roles);
  const Analysis analysis{decision.joint, decision.users, decision.roles, distance, settings};
  return forms_of_fewer_bits(analysis).at(index_of(id_named(decision.joint.graph, "x"))).value().cost;
}

Int128 traffic(double bytes, const Settings& settings) { return picoseconds(ms_of_traffic(bytes, *settings.own_device)); }

const std::string kPointwise = "aten.cos.default(primals_1)", kProduct = "aten.mm.default(primals_1, w)";
const std::string kUsedPointwise = "aten.mul.Tensor(tangents_1, x)", kUsedInProduct = "aten.mm.default(tangents_1, x)";

TEST(FormsOfFewerBits, ThatFuseCostTheirWrite) {
  const Settings settings = on_device(0);
  EXPECT_TRUE(cost_of_form(kPointwise, kUsedPointwise, settings) == traffic(kForm, settings));
}

TEST(FormsOfFewerBits, AfterAProductCostAReadOfItAgain) {
  const Settings settings = on_device(0);
  const Int128 expected = traffic(kForm + kValue, settings), found = cost_of_form(kProduct, kUsedPointwise, settings);
  EXPECT_TRUE(expected - 1 <= found && found <= expected + 1);
}

TEST(FormsOfFewerBits, ForAProductAreRestoredInMemory) {
  const Settings settings = on_device(0);
  const Int128 expected = traffic(2 * kForm + kValue, settings), found = cost_of_form(kPointwise, kUsedInProduct, settings);
  EXPECT_TRUE(expected - 1 <= found && found <= expected + 1);
}

TEST(FormsOfFewerBits, InKernelsOfTheirOwnTakeAtLeastAKernelsTime) {
  const Settings settings = on_device(1e6);  // a second
  constexpr Int128 kSecond = 1'000'000'000'000;
  EXPECT_TRUE(cost_of_form(kPointwise, kUsedPointwise, settings) < kSecond);
  EXPECT_TRUE(cost_of_form(kProduct, kUsedPointwise, settings) >= kSecond);
  EXPECT_TRUE(cost_of_form(kProduct, kUsedInProduct, settings) >= 2 * kSecond);
}

}  // namespace
}  // namespace fxcut
