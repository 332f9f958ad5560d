// Examples of the changes that came with 2.14 and 2.15.
#pragma once

#include <vector>

#include "example_of_change.h"

namespace fxcut {

inline const std::vector<ExampleOfChange>& examples_since_2_14() {
  static const std::vector<ExampleOfChange> all = {
      {Change::CseByBackwardNeed, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         b = aten.sin.default(primals_1) : f32[4]
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, b) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output",
       "primals_1 a loss output | primals_1 tangents_1 b grad output"},
      {Change::CseByStreamAndPool, kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4] custom={"stream":1}
         b = aten.sin.default(primals_1) : f32[4] custom={"stream":2}
         loss = aten.add.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::CseByBits, kExampleStep + R"(
         a = aten.div.Tensor(primals_1, 0.0) : f32[4]
         b = aten.div.Tensor(primals_1, -0.0) : f32[4]
         loss = aten.add.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::CseSparesMutationBases, kExampleStep + R"(
         a = aten.full.default([4], 0) : f32[4]
         b = aten.full.default([4], 0) : f32[4]
         m = higher_order.auto_functionalized_v2(op(my.add_.default), _all_bases=[b]) : tuple(none, f32[4])
         written = operator.getitem(m, 1) : f32[4]
         loss = aten.add.Tensor(a, written) : f32[4]
         back = aten.add.Tensor(loss, primals_1) : f32[4]
         return back | tangents_1)",
       "primals_1 a m written loss back output | tangents_1 output",
       "primals_1 a b m written loss back output | tangents_1 output"},
      {Change::CseSparesImpure, kExampleStep + R"(
         a = aten.randn_like.default(primals_1) : f32[4]
         b = aten.randn_like.default(primals_1) : f32[4]
         loss = aten.sub.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::ZeroDropoutIsNotRandom, kExampleStep + R"(
         "ops": {"my.attend.default": {"tags": ["nondeterministic_seeded"], )"
                                       R"("schema": "my::attend(Tensor q, float dropout_p=0.0) -> Tensor"}}
         a = my.attend.default(primals_1) : f32[4] on cpu recompute=MUST_RECOMPUTE
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 run_and_save_rng_state getitem getitem_1 loss output_1 | "
       "primals_1 rng_state_output_0 tangents_1 run_with_rng_state grad output",
       "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::DevicesAreFree, kExampleStep + R"(
         device = my.current_device.default() : other(device)
         scale = aten.full.default([4], 2, device=device) : f32[4]
         loss = aten.mul.Tensor(primals_1, scale) : f32[4]
         grad = aten.mul.Tensor(tangents_1, scale) : f32[4]
         return loss | grad)",
       "primals_1 device scale loss output | scale tangents_1 grad output",
       "primals_1 device scale loss output | tangents_1 device scale grad output"},
      {Change::RegionsMayLeaveOut, kExampleStep + R"(
         a = aten.mm.default(primals_1, primals_1) : f32[4] custom={"_region_activation_memory_budget":0}
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "a region's memory budget must cover the whole forward, subgraphs included, but 1 operator has none: 'loss'",
       "primals_1 a loss output | primals_1 tangents_1 a grad output",
       [](Settings& settings) { settings.activation_memory_budget_require_full_coverage = false; }},
      {Change::ReplayedMutationsAreNotSaved, R"(
         primals_1 = placeholder : f32[4] aot_runtime_epilogue_input_mutation=true
         tangents_1 = placeholder : f32[4]
         a = aten.sin.default(primals_1) : f32[4]
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output",
       "primals_1 a loss output | a tangents_1 grad output"},
      {Change::NoCandidatesLeaveTheCut, kExampleStep + R"(
         a = my.large.default(primals_1) : f32[100] recompute=MUST_SAVE
         b = my.half.default(primals_1) : f32[2]
         loss = my.loss.default(a, b) : f32[4]
         grad = my.grad.default(tangents_1, a, b) : f32[4]
         return loss | grad)",
       "primals_1 a b loss output | primals_1 a tangents_1 b grad output",
       "primals_1 a b loss output | a b tangents_1 grad output",
       [](Settings& settings) { settings.activation_memory_budget = 0.5; }},
      {Change::ItemsOfCollectivesAreSaved, R"(
         primals_1 = placeholder : f32[4]
         dead = _c10d_functional.all_gather_into_tensor_coalesced.default([primals_1], 2, "0") : tuple(f32[8]))"
       R"( partitioner_tag=is_forward
         loss = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss | grad)",
       "by default: primals_1 loss output | primals_1 tangents_1 grad output",
       "'dead' is not a tensor, so it cannot be saved",
       decide_by_default_partitioner},
      {Change::EffectsAreNeverRecomputed, kExampleStep + R"(
         a = higher_order.with_effects(primals_1, op(my.print.default)) : tuple(f32[4]) recompute=MUST_RECOMPUTE
         token = operator.getitem(a, 0) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return token | grad)",
       "primals_1 a token output | primals_1 tangents_1 grad output",
       "'a' has an effect and must be recomputed: a forward effect cannot join the backward's chain of tokens"},
      {Change::ControlDepsAreRebuilt,
       subgraphs_line({{"body", "dep_0 = placeholder\ndep_1 = placeholder\nreturn None, dep_0, dep_1"}}) + kExampleStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         g = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         body = get_attr body
         both = higher_order.control_deps((a,), body, a, g) : tuple(none, f32[4], f32[4])
         first = operator.getitem(both, 1) : f32[4]
         second = operator.getitem(both, 2) : f32[4]
         loss = aten.exp.default(first) : f32[4]
         return loss | second)",
       "'loss' is an output of the forward, but it depends on 'tangents_1', which only the backward has",
       "primals_1 a subgraph_cd_extract_0 both first loss output | "
       "primals_1 tangents_1 g body a both second output"},
      {Change::ShallowCopiesAreFunctional, R"(
         "ops": {"aten.shallow_copy_data_.default": {"mutable": true}}
         primals_1 = placeholder : f32[4]
         a = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward recompute=PREFER_RECOMPUTE
         loss = aten.exp.default(a) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         copy = aten.shallow_copy_data_.default(primals_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss copy output | primals_1 tangents_1 a grad output",
       "by default: primals_1 a loss copy output | primals_1 tangents_1 a grad output",
       decide_by_default_partitioner},
      {Change::SymbolsAreBoundWhereMade, kExampleStep + R"(
         "symbols": {"u0": {"hint": null, "backed": false}}
         found = aten.nonzero.default(primals_1) : i64[u0, 1]
         rows = aten.sym_size.int(found, 0) : symint(u0)
         loss = my.sum.default(primals_1, rows) : f32[4]
         grad = my.own.default(tangents_1, found) : f32[4]
         return loss | grad)",
       "primals_1 found rows loss output | rows found tangents_1 grad output",
       "primals_1 found rows loss output | found tangents_1 grad output"},
      {Change::SymbolsAreBoundUnreplaced, R"(
         primals_1 = placeholder : symint(s0=4)
         primals_2 = placeholder : symint(s0=4) was s1
         primals_3 = placeholder : f32[s0=4] was s1
         tangents_1 = placeholder : f32[4]
         loss = my.sum.default(primals_3) : f32[4]
         grad = my.own.default(tangents_1, primals_3) : f32[4]
         return loss | grad)",
       "primals_1 primals_2 primals_3 loss output | primals_1 primals_3 tangents_1 grad output",
       "primals_1 primals_2 primals_3 loss output | primals_1 primals_2 primals_3 tangents_1 grad output"},
  };
  return all;
}

}  // namespace fxcut
