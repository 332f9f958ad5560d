// The costs of recomputing and keeping besides the price of each operator, if kernels are priced.
#include "frontier/kernel_costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "diagnostic/diagnostic.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

Settings compiled() {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  return settings;
}

// A product's result goes through sin, which the backward takes, to a second product; `far` is added to it after that.
constexpr std::string_view kOnGpu = R"(
    weight = placeholder primals_1 : f32[1024, 1024]@0 on cuda:0 static
    input = placeholder primals_2 : f32[1024, 1024]@1 on cuda:0
    tangents_1 = placeholder : f32[1024, 1024] on cuda:0
    mm = aten.mm.default(input, weight) : f32[1024, 1024]@2 on cuda:0
    far = aten.exp.default(mm) : f32[1024, 1024]@3 on cuda:0
    within = aten.sin.default(far) : f32[1024, 1024]@4 on cuda:0
    cos = aten.cos.default(within) : f32[1024, 1024]@5 on cuda:0
    mean = aten.mean.dim(cos, [1], True) : f32[1024, 1]@6 on cuda:0
    sub = aten.sub.Tensor(cos, mean) : f32[1024, 1024]@7 on cuda:0
    mm_1 = aten.mm.default(sub, weight) : f32[1024, 1024]@8 on cuda:0
    out = aten.add.Tensor(mm_1, far) : f32[1024, 1024]@9 on cuda:0
    grad = aten.addcmul.default(tangents_1, within, mean) : f32[1024, 1024] on cuda:0
    grad_1 = aten.addcmul.default(grad, far, sub) : f32[1024, 1024] on cuda:0
    grad_2 = aten.mul.Tensor(grad_1, mm) : f32[1024, 1024] on cuda:0
    return out | grad_2, None)";

struct Priced : AnalysedGraph {
  explicit Priced(std::string_view text, Settings given = compiled())
      : AnalysedGraph(text, std::move(given)),
        problem(costed_problem(analysis, storage_bytes(joint.graph), estimator_of_frontier(settings))) {}

  const Item& item(std::string_view name) const {
    const auto found = std::ranges::find(problem.items, id(name), &Item::node);
    if (found == problem.items.end()) throw InternalError("no such item");
    return *found;
  }
  Int128 keep_cost(std::string_view name) const { return problem.storages[item(name).storage].keep_cost; }

  RecomputeProblem problem;
};

Int128 once(double bytes) { return picoseconds(ms_of_traffic(bytes, device_of({}, joint_graph(kOnGpu).graph).profile)); }

constexpr double kMatrix = 4.0 * 1024 * 1024;

TEST(KernelCosts, KeepingARegisterValueCostsAWrite) {
  const Priced priced(kOnGpu);
  EXPECT_TRUE(priced.problem.prices_kernels);
  EXPECT_TRUE(priced.keep_cost("within") == once(kMatrix));
}

TEST(KernelCosts, KeepingAStoredValueIsFree) {
  const Priced priced(kOnGpu);
  EXPECT_TRUE(priced.keep_cost("mm") == 0) << "of a library's call";
  EXPECT_TRUE(priced.keep_cost("sub") == 0) << "for a library's call";
  EXPECT_TRUE(priced.keep_cost("far") == 0) << "kernels before and after the second product take it";
}

TEST(KernelCosts, AReductionReadsAgainWhatItReduces) {
  const Priced priced(kOnGpu);
  EXPECT_TRUE(priced.item("mean").run_cost >= once(kMatrix));
  EXPECT_TRUE(priced.item("within").run_cost < once(kMatrix));
}

TEST(KernelCosts, AnEstimatorOfTheSettingsPricesOperatorsOnly) {
  Settings settings = compiled();
  settings.activation_memory_budget_runtime_estimator = *find_row(estimators(), "roofline");
  const Priced priced(kOnGpu, settings);
  EXPECT_FALSE(priced.problem.prices_kernels);
  EXPECT_TRUE(priced.keep_cost("within") == 0);
}

TEST(KernelCosts, WhereNoCompilerFusesKernelsHaveNoPrice) {
  EXPECT_TRUE(Priced(kOnGpu, Settings()).problem.prices_kernels) << "some compiler may fuse them";
  Settings settings;
  settings.memory_of = MemoryOf::Operators;
  EXPECT_FALSE(Priced(kOnGpu, settings).problem.prices_kernels);
}

// A ReLU whose mask the backward takes; the forward has the sum in memory for the product.
constexpr std::string_view kOnCpu = R"(
    weight = placeholder primals_1 : f32[64, 64]@0 static
    input = placeholder primals_2 : f32[64, 64]@1
    tangents_1 = placeholder : f32[64, 64]
    sum = aten.add.Tensor(input, weight) : f32[64, 64]@2
    mask = aten.le.Scalar(sum, 0) : bool[64, 64]@3
    sin = aten.sin.default(sum) : f32[64, 64]@4
    out = aten.mm.default(sum, weight) : f32[64, 64]@5
    grad = aten.where.self(mask, tangents_1, sin) : f32[64, 64]
    return out | grad, None)";

Settings on_cpu(ElementTimes elements) {
  DeviceProfile device;
  device.memory_gb_per_second = 1;
  device.efficiency.memory = 1;
  device.elements = elements;
  Settings settings = compiled();
  settings.own_device = std::make_shared<const DeviceProfile>(device);
  return settings;
}

constexpr double kElements = 64 * 64, kMsPerNs = 1e-6;

TEST(KernelCosts, ACpuWithoutTimesOfElementsWritesBytes) {
  EXPECT_TRUE(Priced(kOnCpu, on_cpu({})).keep_cost("mask") == picoseconds(kElements * kMsPerNs)) << "at 1 GB/s";
}

TEST(KernelCosts, ACpuWritesAndReadsABooleanByElements) {
  const Priced priced(kOnCpu, on_cpu({.store_bool_ns = 12, .load_bool_ns = 3}));
  EXPECT_TRUE(priced.problem.prices_kernels);
  EXPECT_TRUE(priced.keep_cost("mask") == picoseconds(kElements * (1 + 12 + 3) * kMsPerNs)) << "and a byte at 1 GB/s";
  EXPECT_TRUE(priced.keep_cost("sin") == picoseconds(kElements * 4 * kMsPerNs));
  EXPECT_TRUE(priced.keep_cost("sum") == 0);
}

}  // namespace
}  // namespace fxcut
