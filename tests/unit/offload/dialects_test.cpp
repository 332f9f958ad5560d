// Values that policies put on the host: in each dialect, and where it cannot be.
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "read/read_policy.h"

namespace fxcut {
namespace {

constexpr std::string_view kText = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    b = aten.sin.default(a) : f32[4, 4]{4, 1} on cuda:0
    c = aten.cos.default(a) : f32[4, 4]{4, 1} on cuda:0
    g = aten.mul.Tensor(tangents_1, c) : f32[4, 4]{4, 1} on cuda:0
    return b | g)";

std::string offload_q(const std::string& policy) {
  return R"({"name": "p", "rules": [{"match": {"name": "q"}, "policy": ")" + policy + "\"}]}";
}

Partition partition_under(std::string_view text, const std::string& policies, const Settings& settings = {}) {
  const auto document = Document::parse("{\"version\": 1, \"policies\": [" + policies + "]}", "policy.json");
  return partition(joint_graph(text), settings, read_policies(*document));
}

Partition in_dialect(OffloadDialect dialect) {
  Settings settings;
  settings.offload_dialect = dialect;
  return partition_under(kText, offload_q("MUST_CPU_OFFLOAD"), settings);
}

TEST(OffloadDialects, AtenPutsTheValueOnTheHostAndBack) {
  const Partition result = in_dialect(OffloadDialect::Aten);
  EXPECT_EQ(text_of(result.graphs.forward),
            "primals_1 = placeholder\n"
            "a = aten.mm.default(primals_1, primals_1)\n"
            "b = aten.sin.default(a)\n"
            "cpu_offload_a = prims.device_put.default(a, cpu, non_blocking=True)\n"
            "return b, cpu_offload_a\n");
  EXPECT_EQ(text_of(result.graphs.backward),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "gpu_reload_a = prims.device_put.default(cpu_offload_a, cuda:0, non_blocking=True)\n"
            "c = aten.cos.default(gpu_reload_a)\n"
            "g = aten.mul.Tensor(tangents_1, c)\n"
            "return g\n");
}

TEST(OffloadDialects, AoStartsCopiesAndWaitsForThem) {
  const Partition result = in_dialect(OffloadDialect::Ao);
  EXPECT_EQ(text_of(result.graphs.forward),
            "primals_1 = placeholder\n"
            "a = aten.mm.default(primals_1, primals_1)\n"
            "b = aten.sin.default(a)\n"
            "async_cpu_offload_a = ao.offload.default(a)\n"
            "cpu_offload_a = ao.wait_tensor.default(async_cpu_offload_a, a)\n"
            "return b, cpu_offload_a\n");
  EXPECT_EQ(text_of(result.graphs.backward),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "async_gpu_reload_a = ao.reload.default(cpu_offload_a, cuda:0, [4, 4], [4, 1])\n"
            "gpu_reload_a = ao.wait_tensor.default(async_gpu_reload_a, cpu_offload_a)\n"
            "c = aten.cos.default(gpu_reload_a)\n"
            "g = aten.mul.Tensor(tangents_1, c)\n"
            "return g\n");
}

TEST(OffloadDialects, XlaPlacesTheOutputAndTheInput) {
  const Partition result = in_dialect(OffloadDialect::Xla);
  EXPECT_EQ(text_of(result.graphs.forward),
            "primals_1 = placeholder\n"
            "a = aten.mm.default(primals_1, primals_1)\n"
            "b = aten.sin.default(a)\n"
            "cpu_offload_a = xla.place_to_host.default(a)\n"
            "return b, cpu_offload_a\n");
  EXPECT_EQ(text_of(result.graphs.backward),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "gpu_reload_a = xla.place_to_device.default(cpu_offload_a)\n"
            "c = aten.cos.default(gpu_reload_a)\n"
            "g = aten.mul.Tensor(tangents_1, c)\n"
            "return g\n");
}

TEST(OffloadDialects, ASeparateStreamAsksForAo) {
  Settings settings;
  settings.activation_offload_separate_stream = true;
  settings.offload_dialect = OffloadDialect::Xla;
  const Partition result = partition_under(kText, offload_q("MUST_CPU_OFFLOAD"), settings);
  EXPECT_TRUE(node_named(result.graphs.forward, "cpu_offload_a").calls("ao.wait_tensor.default"));
}

TEST(OffloadDialects, TheReportTellsOfTheNamedValueOnTheHost) {
  const Partition result = in_dialect(OffloadDialect::Xla);
  ASSERT_EQ(result.report.names.size(), 1u);
  const NameUse& use = result.report.names[0];
  EXPECT_EQ(use.decision, NameUse::Decision::Offloaded);
  EXPECT_EQ(use.forward_output, 1u);
  EXPECT_EQ(use.backward_input, 0u);
  EXPECT_EQ(use.backward_placeholder, "cpu_offload_a");
  EXPECT_EQ(use.size_bytes, 64);
}

TEST(OffloadDialects, WithABarrierTheRegionTakesTheCopyThatCameBack) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    b = aten.sin.default(a) : f32[4, 4]{4, 1} on cuda:0
    g = aten.mul.Tensor(tangents_1, b) : f32[4, 4]{4, 1} on cuda:0
    return b | g)";
  Settings settings;
  settings.offload_dialect = OffloadDialect::Xla;
  settings.recompute_barrier = true;
  EXPECT_EQ(text_of(partition_under(text, offload_q("MUST_CPU_OFFLOAD") + R"(, {"builtin": "recompute_all"})", settings)
                        .graphs.backward),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "gpu_reload_a = xla.place_to_device.default(cpu_offload_a)\n"
            "optimization_barrier = xla.optimization_barrier.default([gpu_reload_a])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "b = aten.sin.default(getitem)\n"
            "g = aten.mul.Tensor(tangents_1, b)\n"
            "return g\n");
}

// The named value is returned by the forward, whose caller may look at it.
constexpr std::string_view kReturned = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    g = aten.mul.Tensor(tangents_1, a) : f32[4, 4]{4, 1} on cuda:0
    return a | g)";

TEST(ImpossibleOffloads, RequiredOnesAreRefused) {
  try {
    partition_under(kReturned, offload_q("MUST_CPU_OFFLOAD"));
    FAIL() << "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'a' must be offloaded, but it is an output of the forward"),
              std::string::npos);
  }
}

TEST(ImpossibleOffloads, PreferredOnesAreSavedWithTheReason) {
  const Report report = partition_under(kReturned, offload_q("PREFER_CPU_OFFLOAD")).report;
  ASSERT_EQ(report.saved_values.size(), 1u);
  EXPECT_EQ(report.saved_values[0].name, "a");
  EXPECT_EQ(report.saved_values[0].host_name, "");
  ASSERT_EQ(report.offload_refusals.size(), 1u);
  EXPECT_EQ(report.offload_refusals[0].name, "a");
  EXPECT_EQ(report.offload_refusals[0].why.reason, "forward_output");
}

constexpr std::string_view kNamedInput = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    b = aten.sin.default(primals_1) : f32[4, 4]{4, 1} on cuda:0
    g = aten.mul.Tensor(tangents_1, primals_1) : f32[4, 4]{4, 1} on cuda:0
    return b | g)";

TEST(Offloads, InputsAreOffloadedWithAWarningUnderAJaxPolicy) {
  const Report report =
      partition_under(kNamedInput, R"({"jax": "save_and_offload_only_these_names", "save": [], "offload": ["q"]})")
          .report;
  ASSERT_EQ(report.saved_values.size(), 1u);
  EXPECT_EQ(report.saved_values[0].host_name, "cpu_offload_primals_1");
  EXPECT_EQ(report.warnings.size(), 1u);
}

TEST(Offloads, ForwardOutputsAreOffloadedIfAJaxPolicyPermits) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    a = aten.sin.default(primals_1) : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    g = aten.mul.Tensor(tangents_1, a) : f32[4, 4]{4, 1} on cuda:0
    return a | g)";
  const Partition result =
      partition_under(text, R"({"jax": "save_and_offload_only_these_names", "save": [], "offload": ["q"]})");
  EXPECT_TRUE(text_of(result.graphs.forward).ends_with("return a, cpu_offload_a\n")) << text_of(result.graphs.forward);
}

TEST(Offloads, ValuesTheBackwardDoesNotNeedAreNotOffloaded) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    tangents_1 = placeholder : f32[4, 4]{4, 1} on cuda:0
    a = aten.sin.default(primals_1) : f32[4, 4]{4, 1} on cuda:0 checkpoint_name=q
    b = aten.add.Tensor(a, 1) : f32[4, 4]{4, 1} on cuda:0
    g = aten.mul.Tensor(tangents_1, primals_1) : f32[4, 4]{4, 1} on cuda:0
    return b | g)";
  const Partition result = partition_under(text, offload_q("MUST_CPU_OFFLOAD"));
  EXPECT_EQ(names_of(result.graphs.forward), "primals_1 a b output");
  ASSERT_EQ(result.report.names.size(), 1u);
  EXPECT_EQ(result.report.names[0].decision, NameUse::Decision::NotNeeded);
}

}  // namespace
}  // namespace fxcut
