// Run times of operators that share kernels, by hand.
#include "cost/fused_roofline.h"

#include <gtest/gtest.h>

#include <numeric>

#include "graph_text.h"

namespace fxcut {
namespace {

// A microsecond for each kilobyte, for each million of float32 operations, and for each half kilobyte between devices.
const DeviceProfile kDevice = {"mine", 1, 1, 0, 2, 4, 1, "made up", 0.5, {1, 0.5, 1}};

struct Times {
  explicit Times(const std::string& lines, const DeviceProfile& device = kDevice)
      : joint(joint_graph(lines)), ms(fused_roofline_ms(joint.graph, device)) {}

  double bytes(std::string_view name) const { return ms[index_of(id_named(joint.graph, std::string(name)))] * 1e6; }
  double all_bytes() const { return std::accumulate(ms.begin(), ms.end(), 0.0) * 1e6; }

  JointGraph joint;
  std::vector<double> ms;
};

TEST(FusedRoofline, AChainCostsWhatItsEndsReadAndWrite) {
  const Times times(R"(
    x = placeholder : f32[250]
    sin = aten.sin.default(x) : f32[250]
    cos = aten.cos.default(sin) : f32[250]
    exp = aten.exp.default(cos) : f32[250]
    sort = aten.sort.default(exp) : f32[250]
    return sort)");
  EXPECT_DOUBLE_EQ(times.bytes("sin"), 1000) << "reads x";
  EXPECT_DOUBLE_EQ(times.bytes("cos"), 0);
  EXPECT_DOUBLE_EQ(times.bytes("exp"), 1000) << "stores for the sort";
  EXPECT_DOUBLE_EQ(times.bytes("sort"), 2000) << "a kernel of its own";
}

TEST(FusedRoofline, WithoutACompilerEachOperatorReadsAndWrites) {
  DeviceProfile device = kDevice;
  device.fuses = false;
  device.elements.random_ns = 1;
  const Times times(R"(
    x = placeholder : f32[250]
    sin = aten.sin.default(x) : f32[250]
    view = aten.view.default(sin, [10, 25]) : f32[10, 25]
    sum = aten.sum.dim_IntList(view, [1]) : f32[10]
    rand = prims.inductor_random.default([250], x, "rand") : f32[250]
    mul = aten.mul.Tensor(sin, rand) : f32[250]
    return (sum, mul))",
                    device);
  EXPECT_DOUBLE_EQ(times.bytes("sin"), 2000);
  EXPECT_DOUBLE_EQ(times.bytes("view"), 0);
  EXPECT_DOUBLE_EQ(times.bytes("sum"), 1040);
  EXPECT_DOUBLE_EQ(times.bytes("rand"), 2000 + 250) << "a nanosecond each";
  EXPECT_DOUBLE_EQ(times.bytes("mul"), 3000);
}

TEST(FusedRoofline, AValueIsReadByTheFirstOfSeveralUsers) {
  const Times times(R"(
    x = placeholder : f32[250]
    sin = aten.sin.default(x) : f32[250]
    mul = aten.mul.Tensor(sin, x) : f32[250]
    return mul)");
  EXPECT_DOUBLE_EQ(times.bytes("sin"), 1000);
  EXPECT_DOUBLE_EQ(times.bytes("mul"), 1000) << "the write";
}

TEST(FusedRoofline, ViewsCostNothingAndHideNothing) {
  const Times times(R"(
    x = placeholder : f32[250]@1
    view = aten.view.default(x, [10, 25]) : f32[10, 25]@1
    sin = aten.sin.default(view) : f32[10, 25]@2
    flat = aten.view.default(sin, [250]) : f32[250]@2
    sort = aten.sort.default(flat) : f32[250]
    return sort)");
  EXPECT_DOUBLE_EQ(times.bytes("view"), 0);
  EXPECT_DOUBLE_EQ(times.bytes("sin"), 2000) << "reads x through one view, stores for the sort through the other";
}

TEST(FusedRoofline, AReductionOverRowsJoinsItsChain) {
  const Times rows(R"(
    x = placeholder : f32[10, 100]
    sin = aten.sin.default(x) : f32[10, 100]
    sum = aten.sum.dim_IntList(sin, [-1], True) : f32[10, 1]
    mul = aten.mul.Tensor(sin, sum) : f32[10, 100]
    return mul)");
  EXPECT_DOUBLE_EQ(rows.all_bytes(), 8000);
  EXPECT_DOUBLE_EQ(rows.bytes("sum"), 0);
}

TEST(FusedRoofline, AReductionOverColumnsReadsItsOperand) {
  const Times columns(R"(
    x = placeholder : f32[10, 100]
    sin = aten.sin.default(x) : f32[10, 100]
    sum = aten.sum.dim_IntList(sin, [0], True) : f32[1, 100]
    mul = aten.mul.Tensor(sin, sum) : f32[10, 100]
    return mul)");
  EXPECT_DOUBLE_EQ(columns.bytes("sum"), 4000);
}

TEST(FusedRoofline, AProductTakesItsOperationsAtAShareOfThePeakRate) {
  const Times times("a = placeholder : f32[1000, 1000]\nmm = aten.mm.default(a, a) : f32[1000, 1000]\nreturn mm");
  EXPECT_DOUBLE_EQ(times.bytes("mm"), 12e6) << "2e9 operations take 2 ms, the memory 12: 4 MB twice read, once written";
  const Times long_rows(
      "a = placeholder : f32[100, 100000]\nb = placeholder : f32[100000, 100]\nmm = aten.mm.default(a, b) : f32[100, "
      "100]\nreturn mm");
  EXPECT_DOUBLE_EQ(long_rows.bytes("mm"), 80e6 + 40e3);
}

TEST(FusedRoofline, AttentionCountsOnTheCpuToo) {
  const std::string lines =
      "q = placeholder : f32[1, 1, 10000, 4]\n"
      "call = aten._scaled_dot_product_flash_attention_for_cpu.default(q, q, q) : tuple(f32[1, 1, 10000, 4], f32[1, 1, 10000])\n"
      "return call";
  EXPECT_DOUBLE_EQ(Times(lines).ms[1], 2 * 1.6e9 / 1e12 * 1000) << "1.6e9 operations at half of the rate";
  EXPECT_DOUBLE_EQ(Times("q = placeholder : f32[1, 1, 10000, 4]\ncall = higher_order.flex_attention(q, q, q) : "
                         "tuple(f32[1, 1, 10000, 4], f32[1, 1, 10000])\nreturn call")
                       .ms[1],
                   2 * 1.6e9 / 1e12 * 1000);
}

TEST(FusedRoofline, ACollectiveTakesItsBytesAtTheRateOfTheLinks) {
  const std::string x = "x = placeholder : f32[250]\n";
  EXPECT_DOUBLE_EQ(
      Times(x + "call = _c10d_functional.all_gather_into_tensor.default(x, 2, \"0\") : f32[500]\nreturn call").bytes("call"),
      4000);
  EXPECT_DOUBLE_EQ(
      Times(x + "call = _c10d_functional.all_reduce.default(x, \"sum\", \"0\") : f32[250]\nreturn call").bytes("call"), 4000)
      << "there and back";
}

TEST(FusedRoofline, ACollectiveOfAKnownGroupTakesItsRing) {
  DeviceProfile device = kDevice;
  device.groups = {{"dp", 1, 0, 3}, {"tp", 0.25, 4, 0}};  // a microsecond for each kilobyte, after 3; and for each quarter
  const auto us = [&](const std::string& call) {
    return Times("x = placeholder : f32[250]\ncall = _c10d_functional." + call + "\nreturn call", device).ms[1] * 1e3;
  };
  EXPECT_DOUBLE_EQ(us("all_gather_into_tensor.default(x, 2, \"dp\") : f32[500]"), 3 + 1) << "half of 2 kB";
  EXPECT_DOUBLE_EQ(us("reduce_scatter_tensor.default(x, \"sum\", 2, \"dp\") : f32[125]"), 3 + 0.5);
  EXPECT_DOUBLE_EQ(us("all_gather_into_tensor.default(x, group_size=2, group_name=\"dp\") : f32[500]"), 3 + 1);
  EXPECT_DOUBLE_EQ(us("all_reduce.default(x, \"sum\", \"dp\") : f32[250]"), 3 + 2) << "of ranks not known";
  EXPECT_DOUBLE_EQ(us("all_reduce.default(x, \"sum\", \"tp\") : f32[250]"), 2 * 0.75 * 4);
  EXPECT_DOUBLE_EQ(us("all_reduce.default(x, \"sum\", \"pp\") : f32[250]"), 4) << "at the rate of the device's links";
}

TEST(FusedRoofline, ACollectiveThatWasMeasuredTakesThat) {
  EXPECT_EQ(Times("x = placeholder : f32[250]\n"
                  "call = _c10d_functional.all_reduce.default(x, \"sum\", \"0\") : f32[250] runtime_ms=7\nreturn call")
                .ms[1],
            7);
}

// A microsecond for each random number, two for each boolean that is stored, three for each that is read.
DeviceProfile one_by_one() {
  DeviceProfile device = kDevice;
  device.elements = {1000, 2000, 3000};
  return device;
}

TEST(FusedRoofline, RandomNumbersTakeTheirTimeEachInTheKernelThatUsesThem) {
  const Times times(R"(
    seed = placeholder : i64[]
    x = placeholder : f32[250]
    random = prims.inductor_random.default([250], seed, "rand") : f32[250]
    mul = aten.mul.Tensor(random, x) : f32[250]
    return mul)",
                    one_by_one());
  EXPECT_DOUBLE_EQ(times.bytes("random"), 8 + 250 * 1000.0) << "reads the seed";
  EXPECT_DOUBLE_EQ(times.bytes("mul"), 2000);
}

TEST(FusedRoofline, BooleansInMemoryTakeTheirTimeEach) {
  const Times times(R"(
    x = placeholder : f32[250]
    mask = placeholder : bool[250]
    where = aten.where.self(mask, x, x) : f32[250]
    positive = aten.gt.Scalar(x, 0) : bool[250]
    not_stored = aten.lt.Scalar(x, 0) : bool[250]
    both = aten.where.self(not_stored, where, x) : f32[250]
    viewed = aten.gt.Scalar(x, 1) : bool[250]
    view = aten.view.default(viewed, [5, 50]) : bool[5, 50]
    return (positive, both, view))",
                    one_by_one());
  EXPECT_DOUBLE_EQ(times.bytes("where"), 250 + 1000 + 250 * 3000.0) << "reads both";
  EXPECT_DOUBLE_EQ(times.bytes("positive"), 250 + 250 * 2000.0) << "stores itself, and no kernel here uses it";
  EXPECT_DOUBLE_EQ(times.bytes("not_stored"), 0);
  EXPECT_DOUBLE_EQ(times.bytes("both"), 1000);
  EXPECT_DOUBLE_EQ(times.bytes("viewed"), 250 + 250 * 2000.0) << "nor is a view a kernel that reads it";
}

// A dropout that drops that share, with its mask stored for the backward.
std::string dropout(const std::string& share) {
  return R"(
    seed = placeholder : i64[]
    x = placeholder : f32[250]
    random = prims.inductor_random.default([250], seed, "rand") : f32[250]
    kept = aten.gt.Scalar(random, )" + share + R"() : bool[250]
    where = aten.where.self(kept, x, x) : f32[250]
    return (where, kept))";
}

// As one_by_one, and half of that for each boolean of a mask that drops a tenth.
DeviceProfile with_masks() {
  DeviceProfile device = one_by_one();
  device.elements.store_mask_ns = 1000;
  device.elements.load_mask_ns = 1500;
  return device;
}

TEST(FusedRoofline, AMaskOfADropoutTakesLessTheRarerItDrops) {
  const auto each = [](const std::string& share, const DeviceProfile& device) {
    return (Times(dropout(share), device).bytes("kept") - 250) / 250;
  };
  EXPECT_DOUBLE_EQ(each("0.1", one_by_one()), 2000 + 3000) << "a profile without times of masks";
  EXPECT_DOUBLE_EQ(each("0.1", with_masks()), 1000 + 1500) << "stored, and read back by the kernel that uses it";
  EXPECT_DOUBLE_EQ(each("0.9", with_masks()), 1000 + 1500) << "as rare a value";
  EXPECT_DOUBLE_EQ(each("0.01", with_masks()), 1000 + 1500);
  EXPECT_DOUBLE_EQ(each("0.3", with_masks()), 1500 + 2250);
  EXPECT_DOUBLE_EQ(each("0.5", with_masks()), 2000 + 3000);
  EXPECT_DOUBLE_EQ(each("1", with_masks()), 1000 + 1500) << "all are dropped";
}

TEST(FusedRoofline, BooleansThatAreNoMasksTakeTheirOwnTime) {
  const Times normal("seed = placeholder : i64[]\n"
                     "random = prims.inductor_random.default([250], seed, \"randn\") : f32[250]\n"
                     "kept = aten.gt.Scalar(random, 0.1) : bool[250]\nreturn kept",
                     with_masks());
  EXPECT_DOUBLE_EQ(normal.bytes("kept"), 250 + 250 * 2000.0) << "of numbers that are not uniform";
  const Times sign("x = placeholder : f32[250]\nkept = aten.gt.Scalar(x, 0.1) : bool[250]\nreturn kept", with_masks());
  EXPECT_DOUBLE_EQ(sign.bytes("kept"), 1000 + 250 + 250 * 2000.0) << "of x, which is read";
}

TEST(FusedRoofline, ABackwardReadsTheMasksOfItsForward) {
  const JointGraph forward = joint_graph(R"(
    seed = placeholder : i64[]
    random = prims.inductor_random.default([250], seed, "rand") : f32[250]
    kept = aten.gt.Scalar(random, 0.1) : bool[250]
    view = aten.view.default(kept, [10, 25]) : bool[10, 25]
    return (kept, view))");
  for (const std::string name : {"kept", "view"}) {
    const JointGraph backward = joint_graph(name + " = placeholder : bool[250]\nx = placeholder : f32[250]\n"
                                            "where = aten.where.self(" + name + ", x, x) : f32[250]\nreturn where");
    const auto bytes = [&](const Graph* made_by) { return 1e6 * fused_roofline_ms(backward.graph, with_masks(), made_by)[2]; };
    EXPECT_DOUBLE_EQ(bytes(nullptr), 1000 + 1000 + 250 + 250 * 3000.0);
    EXPECT_DOUBLE_EQ(bytes(&forward.graph), 1000 + 1000 + 250 + 250 * 1500.0) << name;
  }
}

TEST(FusedRoofline, OperationsOfFusedKernelsTakeTheirTimeEach) {
  DeviceProfile device = kDevice;
  device.elements.operation_ns = 10;  // of 10 bytes
  const Times times(R"(
    seed = placeholder : i64[]
    x = placeholder : f32[10, 100]
    random = prims.inductor_random.default([10, 100], seed, "rand") : f32[10, 100]
    sin = aten.sin.default(x) : f32[10, 100]
    sum = aten.sum.dim_IntList(sin, [-1], True) : f32[10, 1]
    sqrt = aten.sqrt.default(sum) : f32[10, 1]
    mul = aten.mul.Tensor(random, sqrt) : f32[10, 100]
    view = aten.view.default(mul, [1000]) : f32[1000]
    sort = aten.sort.default(view) : f32[1000]
    return sort)",
                    device);
  EXPECT_DOUBLE_EQ(times.bytes("random"), 8) << "has a figure of its own";
  EXPECT_DOUBLE_EQ(times.bytes("sin"), 4000 + 1000 * 10);
  EXPECT_DOUBLE_EQ(times.bytes("sum"), 1000 * 10) << "each element of its operand";
  EXPECT_DOUBLE_EQ(times.bytes("sqrt"), 10 * 10);
  EXPECT_DOUBLE_EQ(times.bytes("mul"), 4000 + 1000 * 10) << "the smaller operand is repeated";
  EXPECT_DOUBLE_EQ(times.bytes("view"), 0);
  EXPECT_DOUBLE_EQ(times.bytes("sort"), 8000) << "not fused";
}

TEST(FusedRoofline, CopiesToTheHostAndBackRunBesideTheRest) {
  const Times times("x = placeholder : f32[250]\ncopy = ao.offload.default(x) : f32[250]\nreturn copy");
  EXPECT_EQ(times.all_bytes(), 0);
}

TEST(FusedRoofline, AnEmbeddingReadsOnlyItsRows) {
  const Times times("w = placeholder : f32[1000, 10]\ni = placeholder : i64[5]\n"
                    "call = aten.embedding.default(w, i) : f32[5, 10]\nreturn call");
  EXPECT_DOUBLE_EQ(times.bytes("call"), 400);
}

}  // namespace
}  // namespace fxcut
