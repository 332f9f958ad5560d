// Examples of the changes that came with 2.10 to 2.13.
#pragma once

#include <vector>

#include "example_of_change.h"

namespace fxcut {

inline const std::vector<ExampleOfChange>& examples_since_2_10() {
  static const std::vector<ExampleOfChange> all = {
      {Change::RegionsHaveBudgets, kExampleStep + R"(
         a = aten.mm.default(primals_1, primals_1) : f32[4] custom={"_region_activation_memory_budget":0}
         loss = aten.exp.default(a) : f32[4] custom={"_region_activation_memory_budget":0}
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | a tangents_1 grad output", "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::DefaultDropsAssertedBooleans, kExampleForward + R"(
         small = my.ask.default(primals_1) : symbool(u0 < 9) partitioner_tag=is_forward
         check = aten._assert_scalar.default(small, "small") partitioner_tag=is_forward
         loss = aten.exp.default(primals_1) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "by default: primals_1 small check loss output | small loss tangents_1 check grad output",
       "by default: primals_1 small check loss output | loss tangents_1 grad output", decide_by_default_partitioner},
      {Change::AsyncAssertsAreRepeatable, kExampleForward + R"(
         check = aten._assert_async.msg(primals_1, "all") partitioner_tag=is_forward
         loss = aten.exp.default(primals_1) : f32[4] partitioner_tag=is_forward recompute=MUST_RECOMPUTE
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "'check' (aten._assert_async.msg) has a side effect, and regions of the graph are to be recomputed",
       "by default: primals_1 check loss output | primals_1 tangents_1 loss grad output", decide_by_default_partitioner},
      {Change::ResultlessOperatorsHaveNoSize, kExampleStep + R"(
         "ops": {"my.check.default": {"mutable": true, "returns": 0}}
         check = my.check.default(primals_1)
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "the decision needs the size of 'check', but its value is not described",
       "primals_1 check loss output | loss tangents_1 grad output",
       [](Settings& settings) {
         settings.ban_recompute_not_in_allowlist = settings.ban_recompute_materialized_backward = false;
       }},
      {Change::AsyncCopiesAreTwoCalls, kExampleStep + R"(
         a = aten.mm.default(primals_1, primals_1) : f32[4] on cuda:0 should_offload=true
         loss = aten.exp.default(a) : f32[4]
         grad = my.own.default(tangents_1, a) : f32[4]
         return loss | grad)",
       "'a' would be copied on a stream of its own, which PyTorch 2.11 numbers by what the process did before: its graphs "
       "cannot be foretold",
       "primals_1 a loss async_cpu_offload_a cpu_offload_a output | cpu_offload_a tangents_1 async_gpu_reload_a "
       "gpu_reload_a grad output",
       offload_on_a_stream},
      {Change::CallersOutputsAreNotQuantized, kExampleStep + R"(
         loss = aten.exp.default(primals_1) : f32[4]
         grad = my.own.default(tangents_1, loss) : f32[4]
         return loss | grad)",
       "activation_quantization_aten_pass is known as of PyTorch 2.12, not as of PyTorch 2.11",
       "primals_1 loss fp8_quant_pos_1_loss output | fp8_quant_pos_1_loss tangents_1 dequant_fp8_quant_pos_1_loss grad output",
       quantize_all},
      {Change::AssertedBooleansAreNotSaved, R"(
         primals_1 = placeholder : symint(s0=4)
         primals_2 = placeholder : f32[s0=4]
         tangents_1 = placeholder : f32[s0=4]
         small = operator.lt(primals_1, 9) : symbool(s0 < 9)
         check = aten._assert_scalar.default(small, "small") partitioner_tag=must_be_in_backward
         loss = aten.exp.default(primals_2) : f32[s0=4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[s0=4]
         return loss | None, grad)",
       "primals_1 primals_2 small loss output | primals_1 small loss tangents_1 grad output",
       "primals_1 primals_2 loss output | primals_1 loss tangents_1 grad output"},
      {Change::GradientsMayBeSaved, R"(
         primals_1 = placeholder : f32[4, 4]
         tangents_1 = placeholder : f32[4, 4]
         loss = aten.mm.default(primals_1, primals_1) : f32[4, 4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4, 4]
         return loss | grad, loss)",
       "primals_1 loss output | primals_1 tangents_1 grad loss output",
       "primals_1 loss output | primals_1 loss tangents_1 grad output"},
      {Change::InvalidOutputsAreReplaced, kExampleStep + R"(
         loss = aten.sin.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         copy = aten.copy_.default(primals_1, grad) : f32[4] partitioner_tag=must_be_in_backward
         return loss, copy | grad)",
       "'copy' is an output of the forward, but it depends on 'tangents_1', which only the backward has",
       "primals_1 loss output | primals_1 tangents_1 grad copy output"},
      {Change::EffectsAreForcedSaved, kExampleForward + R"(
         a = higher_order.with_effects(primals_1, op(my.print.default)) : tuple(f32[4]) partitioner_tag=is_forward
         token = operator.getitem(a, 0) : f32[4] partitioner_tag=is_forward recompute=PREFER_RECOMPUTE ac_graph_id=1
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, token) : f32[4]
         return token | grad)",
       "'grad' is an output of the backward, but it depends on 'primals_1', which only the forward has",
       "by default: primals_1 a token output | token tangents_1 grad output", decide_by_default_partitioner},
      {Change::UncheckedValuesAreLast, kExampleStep + R"(
         a = my.a.default(primals_1) : f32[4] saved_tensor_with_no_vc_check=true
         b = my.b.default(primals_1) : f32[4]
         loss = my.loss.default(a, b) : f32[4]
         grad = my.own.default(tangents_1, a, b) : f32[4]
         return loss | grad)",
       "primals_1 a b loss output | a b tangents_1 grad output", "primals_1 a b loss output | b a tangents_1 grad output"},
      {Change::ProfilerMarksAreRepeatable, kExampleForward + R"(
         mark = profiler._record_function_exit.default(primals_1) partitioner_tag=is_forward
         loss = aten.exp.default(primals_1) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "'mark' is not a tensor, so it cannot be saved", "by default: primals_1 loss output | loss tangents_1 grad output",
       decide_by_default_partitioner},
      {Change::DefaultOffloads, kExampleForward + R"(
         a = aten.mm.default(primals_1, primals_1) : f32[4] on cuda:0 should_offload=true partitioner_tag=is_forward
         loss = aten.exp.default(a) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = my.own.default(tangents_1, a) : f32[4]
         return loss | grad)",
       "by default: primals_1 a loss output | a tangents_1 grad output",
       "by default: primals_1 a loss cpu_offload_a output | cpu_offload_a tangents_1 gpu_reload_a grad output",
       [](Settings& settings) {
         settings.partitioner = Partitioner::Default;
         settings.enable_activation_offloading = true;
       }},
      {Change::DeadRandomPairsAreSkipped, kExampleStep + R"(
         a = aten.rand_like.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE
         loss = aten.mul.Tensor(a, primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss | grad)",
       "'a' draws random numbers and is to be recomputed, but the backward does not run it: this release of PyTorch looks "
       "it up there",
       "primals_1 a loss output | primals_1 tangents_1 grad output"},
      {Change::DefaultKeepsPlacement, kExampleForward + R"(
         a = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward
         loss = aten.exp.default(primals_1) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "by default: primals_1 loss output | primals_1 tangents_1 a grad output",
       "by default: primals_1 a loss output | a tangents_1 grad output", decide_by_default_partitioner},
      {Change::RegionsNeedNoNumber, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE
         b = aten.cos.default(a) : f32[4] recompute=MUST_RECOMPUTE
         loss = aten.exp.default(b) : f32[4]
         grad = aten.mul.Tensor(tangents_1, b) : f32[4]
         return loss | grad)",
       "'a' and its user 'b' are both to be recomputed, and one has no ac_graph_id: this release of PyTorch cannot tell "
       "whether they are in one region",
       "primals_1 a b loss output | primals_1 tangents_1 a b grad output"},
      {Change::MutationsKeepTheirSide, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         write = aten.copy_.default(primals_1, a) : f32[4]
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss | grad)",
       "primals_1 a write loss output | primals_1 tangents_1 a write grad output",
       "primals_1 a write loss output | primals_1 tangents_1 grad output"},
      {Change::InputsAreOfEitherSide, R"(
         primals_1 = placeholder : f32[4] partitioner_tag=must_be_in_backward
         tangents_1 = placeholder : f32[4]
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss | grad)",
       "'loss' is an output of the forward, but it depends on 'primals_1', which only the backward has",
       "primals_1 loss output | primals_1 tangents_1 grad output"},
      {Change::NonBuiltinsMayBeIncluded, kExampleStep + R"(
         a = my.own.default(primals_1) : f32[8]
         loss = my.loss.default(a) : f32[4]
         grad = my.grad.default(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output", "primals_1 a loss output | a tangents_1 grad output",
       [](Settings& settings) {
         settings.ban_recompute_not_in_allowlist = settings.ban_recompute_materialized_backward = false;
         settings.is_non_builtin_to_include = true;
       }},
      {Change::HirschbergSolver, kExampleCandidates, "PyTorch 2.9 has no memory budget solver 'dp_knapsack_sliding_hirschberg'",
       "primals_1 b a loss output | primals_1 tangents_1 b a grad output",
       [](Settings& settings) {
         settings.activation_memory_budget = 0.5;
         settings.activation_memory_budget_solver = *find_row(budget_solvers(), "dp_knapsack_sliding_hirschberg");
       }},
      {Change::EffectsHaveARegistry, kExampleStep + R"(
         said = aten._print.default("hello")
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "primals_1 loss output | loss tangents_1 grad output", "primals_1 said loss output | loss tangents_1 grad output"},
  };
  return all;
}

}  // namespace fxcut
