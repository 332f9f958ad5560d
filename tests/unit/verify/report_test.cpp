// The figures of a report equal what verify counts in graphs that were written and read again.
#include <gtest/gtest.h>

#include "unit/read_back.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

// verify's objections to a partition and its report; empty if both agree.
std::string complaints(const std::string& text, const Settings& settings = {}) {
  const ReadBack made = partition_and_read_back(text, settings);
  const Verification found = made.verify_with_report();
  EXPECT_GT(found.figures, 0U);
  return found.mismatches.empty() ? "" : verification_text(found);
}

// The list of static inputs names a gradient, too; the backward's placeholder has no target that distinguishes it.
TEST(VerifyReport, GradientsAreNeverAlwaysResident) {
  EXPECT_EQ(complaints(R"(
    primals_1 = placeholder : f32[8]@0 static
    g = placeholder tangents_1 : f32[8]@1 static
    loss = aten.exp.default(primals_1) : f32[8]@2
    grad = aten.mul.Tensor(g, loss) : f32[8]@3
    return loss | grad)"),
            "");
}

// The casts that restore what crosses in fewer bits have names that are free in the backward: one is that of a cast of the
// forward.
TEST(VerifyReport, ACastThatRestoresAValueIsNotRecomputed) {
  const std::string text = R"(
    primals_1 = placeholder : f32[4, 4]@0
    tangents_1 = placeholder : f32[4, 4]@1
    primals_2 = placeholder : f64[]@2
    y = aten.mm.default(primals_1, primals_1) : f32[4, 4]{4, 1}@3
    convert_element_type_default = prims.convert_element_type.default(primals_2, dtype(float32)) : f32[]@4
    loss = my.loss.default(y, convert_element_type_default) : f32[4, 4]@5
    grad = my.grad.default(tangents_1, y) : f32[4, 4]@6
    return loss | grad)";
  Settings settings;
  settings.activation_quantization = {
      .is_on = true, .allowed_dtypes = "torch.float32", .size_in_mb = 0, .use_scaling = true, .exclude_primals = true};
  const ReadBack made = partition_and_read_back(text, settings);
  EXPECT_TRUE(node_named(made.forward.graph, "convert_element_type_default").has_tensor());
  EXPECT_TRUE(node_named(made.backward.graph, "convert_element_type_default").has_tensor());
  EXPECT_EQ(complaints(text, settings), "");
}

// The forward's calls get generators, and with them names that are free there: one is that of a call of the backward.
TEST(VerifyReport, ACallThatWasGivenTheNameOfAnotherIsNotRecomputed) {
  const std::string text =
      subgraphs_line({{"draws", "a = placeholder\nfwd_rng_state_0 = placeholder\nb = aten.sin.default(a)\nreturn (b,)"},
                      {"plain", "a = placeholder\nb = aten.cos.default(a)\nreturn (b,)"}}) +
      R"(
    primals_1 = placeholder : f32[8]@0
    tangents_1 = placeholder : f32[8]@1
    draws = get_attr draws
    invoke_subgraph = higher_order.invoke_subgraph(draws, "draws", primals_1) : tuple(f32[8]@2)
    loss = operator.getitem(invoke_subgraph, 0) : f32[8]@2
    plain = get_attr plain
    invoke_subgraph_1 = higher_order.invoke_subgraph(plain, "plain", tangents_1) : tuple(f32[8]@3)
    part = operator.getitem(invoke_subgraph_1, 0) : f32[8]@3
    grad = aten.mul.Tensor(part, loss) : f32[8]@4
    return loss | grad)";
  const ReadBack made = partition_and_read_back(text, {});
  EXPECT_TRUE(node_named(made.forward.graph, "invoke_subgraph_1").calls("higher_order.invoke_subgraph"));
  EXPECT_TRUE(made.report["recomputed_values"].empty());
  EXPECT_EQ(complaints(text), "");
}

// A joint graph may have barriers of its own, and may have them recomputed.
TEST(VerifyReport, BarriersOfTheJointGraphAreItsCalls) {
  const std::string text = R"(
    primals_1 = placeholder : f32[8]@0
    tangents_1 = placeholder : f32[8]@1
    sin = aten.sin.default(primals_1) : f32[8]@2 recompute=MUST_RECOMPUTE
    optimization_barrier = xla.optimization_barrier.default([sin]) : tuple(f32[8]@3) recompute=MUST_RECOMPUTE
    getitem = operator.getitem(optimization_barrier, 0) : f32[8]@3 recompute=MUST_RECOMPUTE
    loss = aten.exp.default(getitem) : f32[8]@4 recompute=MUST_RECOMPUTE
    grad = aten.mul.Tensor(tangents_1, loss) : f32[8]@5
    return loss | grad)";
  EXPECT_EQ(complaints(text), "");
  Settings with_barriers;
  with_barriers.recompute_barrier = true;
  EXPECT_EQ(complaints(text, with_barriers), "");
  EXPECT_EQ(partition_and_read_back(text, {}).report["recomputed_values"].size(), 4U);
}

// A region's barrier takes what the joint graph's own barrier takes, in the backward, where that does not run.
TEST(VerifyReport, AnAddedBarrierIsNotTheJointGraphs) {
  Settings settings;
  settings.recompute_barrier = true;
  const std::string text = R"(
    primals_1 = placeholder : f32[8]@0
    tangents_1 = placeholder : f32[8]@1
    optimization_barrier = xla.optimization_barrier.default([primals_1]) : tuple(f32[8]@3)
    getitem = operator.getitem(optimization_barrier, 0) : f32[8]@3
    loss = aten.mm.default(getitem, getitem) : f32[8]@4
    sin = aten.sin.default(primals_1) : f32[8]@2 recompute=MUST_RECOMPUTE
    late = aten.mm.default(sin, sin) : f32[8]@5
    grad = aten.mul.Tensor(tangents_1, sin) : f32[8]@6
    return loss, late | grad)";
  const ReadBack made = partition_and_read_back(text, settings);
  EXPECT_TRUE(node_named(made.backward.graph, "optimization_barrier_1").calls("xla.optimization_barrier.default"));
  EXPECT_EQ(made.report["recomputed_values"].size(), 1U);
  EXPECT_EQ(complaints(text, settings), "");
}

// The copy's name is not free in the backward, so that its placeholder has another.
TEST(VerifyReport, ACopyOnTheHostMayCrossUnderAnotherName) {
  Settings settings;
  settings.enable_activation_offloading = true;
  const ReadBack made = partition_and_read_back(R"(
    primals_1 = placeholder : f32[8]@0 on cuda:0
    tangents_1 = placeholder : f32[8]@1 on cuda:0
    kept = aten.mm.default(primals_1, primals_1) : f32[8]@2 on cuda:0 should_offload=true recompute=MUST_SAVE
    loss = aten.exp.default(kept) : f32[8]@3 on cuda:0
    cpu_offload_kept = aten.mul.Tensor(tangents_1, kept) : f32[8]@4 on cuda:0
    return loss | cpu_offload_kept)",
                                                settings);
  EXPECT_EQ(placeholder_names(made.backward.graph), (std::vector<std::string>{"cpu_offload_kept_1", "tangents_1"}));
  for (const Verification& found : {made.verify_with_report(), made.verify_by_names()}) {
    EXPECT_EQ(verification_text(found).substr(0, 9), "verified:") << verification_text(found);
  }
}

}  // namespace
}  // namespace fxcut
