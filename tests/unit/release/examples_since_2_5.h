// Examples of the changes that came with 2.5 to 2.9.
#pragma once

#include <vector>

#include "example_of_change.h"

namespace fxcut {

inline const std::vector<ExampleOfChange>& examples_since_2_5() {
  static const std::vector<ExampleOfChange> all = {
      {Change::BackwardMutationSourcesAreSaved, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         loss = aten.exp.default(a) : f32[4]
         first = aten.copy_.default(primals_1, a) : f32[4] partitioner_tag=must_be_in_forward
         second = aten.copy_.default(primals_1, grad) : f32[4] partitioner_tag=must_be_in_backward
         return loss | grad)",
       "primals_1 a loss first output | primals_1 tangents_1 a grad first second output",
       "primals_1 a loss first output | primals_1 a tangents_1 grad second output"},
      {Change::MustBeInForward, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4] partitioner_tag=must_be_in_forward recompute=MUST_RECOMPUTE
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output",
       "'grad' is an output of the backward, but it depends on 'a', which only the forward has"},
      {Change::GeneratorsAreThreaded,
       subgraphs_line({{"body", "x = placeholder\nfwd_rng_state_0 = placeholder\nreturn x"}}) + kExampleStep + R"(
         body = get_attr body
         a = higher_order.invoke_subgraph(body, "body", primals_1) : tuple(f32[4])
         loss = operator.getitem(a, 0) : f32[4]
         return loss | tangents_1)",
       "primals_1 body a loss output | tangents_1 output",
       "primals_1 fwd_rng_state_0 body invoke_subgraph loss output | tangents_1 output"},
      {Change::GetitemsAreRaised, kExampleStep + R"(
         a = aten.split.Tensor(primals_1, 2) : tuple(f32[2], f32[2])
         b = aten.sin.default(primals_1) : f32[4]
         c = operator.getitem(a, 0) : f32[2]
         loss = my.loss.default(b, c) : f32[4]
         return loss | tangents_1)",
       "primals_1 a b c loss output | tangents_1 output", "primals_1 a c b loss output | tangents_1 output"},
      {Change::DeadWaitsAreNotUses, R"(
         primals_1 = placeholder : f32[4]
         primals_2 = placeholder : f32[4]
         tangents_1 = placeholder : f32[4]
         waited = _c10d_functional.wait_tensor.default(primals_1) : f32[4]
         loss = aten.exp.default(primals_2) : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | None, grad)",
       "primals_1 primals_2 waited loss output | primals_1 primals_2 tangents_1 loss grad output",
       "primals_1 primals_2 waited loss output | primals_2 tangents_1 loss grad output",
       [](Settings& settings) { settings.activation_memory_budget = 0; }},
      {Change::StaticInputsAreFree, R"(
         primals_1 = placeholder : f32[400] static
         tangents_1 = placeholder : f32[4]
         a = aten.slice.Tensor(primals_1, 0, 0, 4) : f32[4]
         b = aten.sin.default(a) : f32[4]
         loss = aten.exp.default(b) : f32[4]
         grad = aten.mul.Tensor(tangents_1, b) : f32[4]
         return loss | grad)",
       "primals_1 a b loss output | b tangents_1 grad output",
       "primals_1 a b loss output | primals_1 tangents_1 a b grad output"},
      {Change::CollectivesAreSaved, kExampleStep + R"(
         a = _c10d_functional.all_gather_into_tensor.default(primals_1, 2, "0") : f32[8]
         b = _c10d_functional.wait_tensor.default(a) : f32[8]
         loss = my.loss.default(b) : f32[4]
         grad = my.grad.default(tangents_1, b) : f32[4]
         return loss | grad)",
       "primals_1 a b loss output | primals_1 tangents_1 a b grad output", "primals_1 a b loss output | b tangents_1 grad output",
       [](Settings& settings) {
         settings.ban_recompute_not_in_allowlist = settings.ban_recompute_materialized_backward = false;
       }},
      {Change::CopiesAreKeptInOrder, kExampleStep + R"(
         loss = aten.exp.default(primals_1) : f32[4]
         copy = aten.copy_.default(primals_1, loss) : f32[4] partitioner_tag=must_be_in_backward
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "primals_1 loss output | primals_1 loss tangents_1 grad output",
       "primals_1 loss output | primals_1 loss tangents_1 copy grad output"},
      {Change::MustSaveIsNoCandidate, kExampleStep + R"(
         a = my.large.default(primals_1) : f32[100] recompute=MUST_SAVE
         b = my.large.default(a) : f32[100]
         loss = my.loss.default(a, b) : f32[4]
         grad = my.grad.default(tangents_1, a, b) : f32[4]
         return loss | grad)",
       "primals_1 a b loss output | primals_1 tangents_1 a b grad output",
       "primals_1 a b loss output | a tangents_1 b grad output",
       [](Settings& settings) { settings.activation_memory_budget = 0.1; }},
      {Change::CandidatesByBan, kExampleCandidates, "primals_1 b a loss output | primals_1 tangents_1 b a grad output",
       "primals_1 b a loss output | primals_1 tangents_1 b a grad output",
       [](Settings& settings) { settings.activation_memory_budget = 0.5; }},
      {Change::DeadRandomCallsStay, kExampleStep + R"(
         dead = aten.rand.default([4]) : f32[4]
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "primals_1 loss output | loss tangents_1 grad output", "primals_1 dead loss output | loss tangents_1 grad output"},
      {Change::GraphsafeRandomness, R"(
         primals_1 = placeholder : f32[4] on cuda:0
         tangents_1 = placeholder : f32[4] on cuda:0
         a = aten.rand_like.default(primals_1) : f32[4] on cuda:0 recompute=MUST_RECOMPUTE
         loss = aten.mul.Tensor(a, primals_1) : f32[4] on cuda:0
         grad = aten.mul.Tensor(tangents_1, a) : f32[4] on cuda:0
         return loss | grad)",
       "primals_1 run_and_save_rng_state getitem getitem_1 loss output_1 | primals_1 rng_state_output_0 tangents_1 "
       "run_with_rng_state grad output",
       "primals_1 fwd_rng_state_0 graphsafe_run_with_rng_state loss output | primals_1 tangents_1 bwd_rng_state_0 "
       "graphsafe_run_with_rng_state grad output"},
      {Change::KneeSolver, kExampleCandidates, "PyTorch 2.6 has no memory budget solver 'dynamic_memory_budget_dp'",
       "primals_1 b a loss output | primals_1 tangents_1 b a grad output",
       [](Settings& settings) {
         settings.activation_memory_budget = 0.5;
         settings.activation_memory_budget_solver = *find_row(budget_solvers(), "dynamic_memory_budget_dp");
       }},
      {Change::AssertsHaveNoSize, R"(
         primals_1 = placeholder : symint(s0=4)
         primals_2 = placeholder : f32[s0=4]
         tangents_1 = placeholder : f32[s0=4]
         check = aten._assert_scalar.default(primals_1, "large")
         loss = aten.exp.default(primals_2) : f32[s0=4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[s0=4]
         return loss | None, grad)",
       "the decision needs the size of 'check', but its value is not described",
       "primals_1 primals_2 check loss output | primals_1 loss tangents_1 grad output",
       [](Settings& settings) {
         settings.ban_recompute_not_in_allowlist = settings.ban_recompute_materialized_backward = false;
       }},
      {Change::UnhintedSizesMultiply, R"(
         primals_1 = placeholder : f32[10000]
         tangents_1 = placeholder : f32[4]
         count = aten._local_scalar_dense.default(primals_1) : symint(u0)
         a = aten.sin.default(primals_1) : f32[u0, 16]
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | a tangents_1 grad output", "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::HookedOutputsAreSaved, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4] recompute=MUST_RECOMPUTE ac_graph_id=1 has_backward_hook=true
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output", "primals_1 a loss output | a tangents_1 grad output"},
      {Change::MutationsBySchema, kExampleStep + R"(
         "ops": {"my.set_seed.default": {"mutable": false}}
         a = aten.sin.default(primals_1) : f32[4]
         between = my.set_seed.default(primals_1) : f32[4]
         b = aten.sin.default(primals_1) : f32[4]
         loss = my.loss.default(a, between, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a between b loss output | tangents_1 output", "primals_1 a between loss output | tangents_1 output"},
      {Change::TagsAreForced, kExampleStep + R"(
         a = my.other.default(primals_1) : f32[2] recompute=MUST_RECOMPUTE ac_graph_id=1
         loss = my.loss.default(a) : f32[4]
         grad = my.grad.default(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | a tangents_1 grad output", "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::ViewsMayBeRecomputed, R"(
         primals_1 = placeholder : f32[4]
         tangents_1 = placeholder : f32[2]
         a = my.other.default(primals_1) : f32[40]
         b = aten.slice.Tensor(a, 0, 0, 2) : f32[2]
         loss = my.loss.default(b) : f32[2]
         grad = my.grad.default(tangents_1, b) : f32[2]
         return loss | grad)",
       "primals_1 a b loss output | b tangents_1 grad output", "primals_1 a b loss output | a tangents_1 b grad output",
       [](Settings& settings) { settings.recompute_views = true; }},
      {Change::BackwardTagsDecide, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4] partitioner_tag=must_be_in_backward
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss, a | grad)",
       "primals_1 a loss output | primals_1 tangents_1 grad output",
       "'a' is an output of the forward, but it depends on 'a', which only the backward has"},
      {Change::SymbolsOfCallsAreBound, kExampleStep + R"(
         "symbols": {"u0": {"hint": null, "backed": false}}
         n = aten.item.default(primals_1) : symint(u0)
         loss = my.sum.default(primals_1, n) : f32[u0]
         grad = my.own.default(tangents_1, loss) : f32[4]
         return loss | grad)",
       "primals_1 n loss output | loss tangents_1 grad output", "primals_1 n loss output | n loss tangents_1 grad output"},
      {Change::CseByMutationRegion, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         write = aten.copy_.default(primals_1, a) : f32[4] partitioner_tag=is_forward
         b = aten.sin.default(primals_1) : f32[4]
         loss = my.loss.default(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a write loss output | tangents_1 output", "primals_1 a write b loss output | tangents_1 output"},
      {Change::CseSparesOutputStorages, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]@7
         b = aten.sin.default(primals_1) : f32[4]@8
         return a, b | tangents_1)",
       "primals_1 a output | tangents_1 output", "primals_1 a b output | tangents_1 output"},
      {Change::CseSparesEmpty, kExampleStep + R"(
         a = aten.empty.memory_format([4]) : f32[4]
         b = aten.empty.memory_format([4]) : f32[4]
         loss = my.loss.default(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::WritersHaveSideEffects, kExampleStep + R"(
         "ops": {"my.write.default": {"mutable": true}}
         write = my.write.default(primals_1) : f32[4]
         loss = aten.exp.default(primals_1) : f32[4]
         grad = aten.mul.Tensor(tangents_1, loss) : f32[4]
         return loss | grad)",
       "primals_1 loss output | loss tangents_1 grad output", "primals_1 write loss output | loss tangents_1 grad output"},
  };
  return all;
}

}  // namespace fxcut
