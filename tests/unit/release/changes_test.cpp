// Each change between releases, by a small graph whose partition it changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "pipeline/pipeline.h"

namespace fxcut {
namespace {

// The nodes of both sides; or, where there is no partition, the first line of what is said.
std::string answer(const std::string& text, const Settings& settings, Release release) {
  try {
    const Partition result = partition(joint_graph(made_by(release) + text), settings);
    return fmt::format("{}{} | {}", result.report.decided_by == Partitioner::Default ? "by default: " : "",
                       names_of(result.graphs.forward), names_of(result.graphs.backward));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.diagnostics().at(0).message;
  }
}

struct Example {
  Change change;
  std::string text;
  std::string before, since;  // the answers
  void (*set)(Settings&) = [](Settings&) {};
};

const std::string kStep = "primals_1 = placeholder : f32[4]\ntangents_1 = placeholder : f32[4]\n";

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {Change::RegionsHaveBudgets, kStep + R"(
         a = aten.mm.default(primals_1, primals_1) : f32[4] custom={"_region_activation_memory_budget":0}
         loss = aten.exp.default(a) : f32[4] custom={"_region_activation_memory_budget":0}
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | a tangents_1 grad output", "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::DefaultDropsAssertedBooleans, R"(
         "symbols": {"s0": {"hint": 4, "backed": true}}
         primals_1 = placeholder : f32[4]
         primals_2 = placeholder : symint(s0=4)
         is_large = operator.gt(primals_2, 2) : symbool(s0 > 2) partitioner_tag=is_forward
         loss = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward
         tangents_1 = placeholder : f32[4]
         checked = aten._assert_scalar.default(is_large, "") partitioner_tag=is_backward
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return loss | grad)",
       "by default: primals_1 primals_2 is_large loss checked output | primals_2 is_large primals_1 tangents_1 checked grad output",
       "by default: primals_1 primals_2 is_large loss checked output | primals_2 primals_1 tangents_1 is_large checked grad output",
       [](Settings& settings) { settings.partitioner = Partitioner::Default; }},
      {Change::AsyncAssertsAreRepeatable, kStep + R"(
         a = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward recompute=PREFER_RECOMPUTE
         checked = aten._assert_async.msg(a, "") partitioner_tag=is_forward
         loss = aten.exp.default(a) : f32[4] partitioner_tag=is_forward
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "'checked' (aten._assert_async.msg) has a side effect, and regions of the graph are to be recomputed",
       "by default: primals_1 a checked loss output | primals_1 tangents_1 a grad output",
       [](Settings& settings) { settings.partitioner = Partitioner::Default; }},
      {Change::CseByBackwardNeed, kStep + R"(
         a = aten.sin.default(primals_1) : f32[4]
         b = aten.sin.default(primals_1) : f32[4]
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, b) : f32[4]
         return loss | grad)",
       "primals_1 a loss output | primals_1 tangents_1 a grad output",
       "primals_1 a loss output | primals_1 tangents_1 b grad output"},
      {Change::CseByStreamAndPool, kStep + R"(
         a = aten.sin.default(primals_1) : f32[4] custom={"stream":1}
         b = aten.sin.default(primals_1) : f32[4] custom={"stream":2}
         loss = aten.add.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::CseByBits, kStep + R"(
         a = aten.div.Tensor(primals_1, 0.0) : f32[4]
         b = aten.div.Tensor(primals_1, -0.0) : f32[4]
         loss = aten.add.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::CseSparesMutationBases, kStep + R"(
         a = aten.full.default([4], 0) : f32[4]
         b = aten.full.default([4], 0) : f32[4]
         m = higher_order.auto_functionalized_v2(op(my.add_.default), _all_bases=[b]) : tuple(none, f32[4])
         written = operator.getitem(m, 1) : f32[4]
         loss = aten.add.Tensor(a, written) : f32[4]
         back = aten.add.Tensor(loss, primals_1) : f32[4]
         return back | tangents_1)",
       "primals_1 a m written loss back output | tangents_1 output",
       "primals_1 a b m written loss back output | tangents_1 output"},
      {Change::CseSparesImpure, kStep + R"(
         a = aten.randn_like.default(primals_1) : f32[4]
         b = aten.randn_like.default(primals_1) : f32[4]
         loss = aten.sub.Tensor(a, b) : f32[4]
         return loss | tangents_1)",
       "primals_1 a loss output | tangents_1 output", "primals_1 a b loss output | tangents_1 output"},
      {Change::ZeroDropoutIsNotRandom, kStep + R"(
         "ops": {"my.attend.default": {"tags": ["nondeterministic_seeded"], )"
                                       R"("schema": "my::attend(Tensor q, float dropout_p=0.0) -> Tensor"}}
         a = my.attend.default(primals_1) : f32[4] on cpu recompute=MUST_RECOMPUTE
         loss = aten.exp.default(a) : f32[4]
         grad = aten.mul.Tensor(tangents_1, a) : f32[4]
         return loss | grad)",
       "primals_1 run_and_save_rng_state getitem getitem_1 loss output_1 | "
       "primals_1 rng_state_output_0 tangents_1 run_with_rng_state grad output",
       "primals_1 a loss output | primals_1 tangents_1 a grad output"},
      {Change::DevicesAreFree, kStep + R"(
         device = my.current_device.default() : other(device)
         scale = aten.full.default([4], 2, device=device) : f32[4]
         loss = aten.mul.Tensor(primals_1, scale) : f32[4]
         grad = aten.mul.Tensor(tangents_1, scale) : f32[4]
         return loss | grad)",
       "primals_1 device scale loss output | scale tangents_1 grad output",
       "primals_1 device scale loss output | tangents_1 device scale grad output"},
      {Change::RegionsMayLeaveOut, kStep + R"(
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
      {Change::NoCandidatesLeaveTheCut, kStep + R"(
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
       [](Settings& settings) { settings.partitioner = Partitioner::Default; }},
      {Change::EffectsAreNeverRecomputed, kStep + R"(
         a = higher_order.with_effects(primals_1, op(my.print.default)) : tuple(f32[4]) recompute=MUST_RECOMPUTE
         token = operator.getitem(a, 0) : f32[4]
         grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
         return token | grad)",
       "primals_1 a token output | primals_1 tangents_1 grad output",
       "'a' has an effect and must be recomputed: a forward effect cannot join the backward's chain of tokens"},
      {Change::ControlDepsAreRebuilt,
       subgraphs_line({{"body", "dep_0 = placeholder\ndep_1 = placeholder\nreturn None, dep_0, dep_1"}}) + kStep + R"(
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
       [](Settings& settings) { settings.partitioner = Partitioner::Default; }},
      {Change::SymbolsAreBoundWhereMade, kStep + R"(
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

class Changes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Changes, ShowInAGraphOfTheirOwn) {
  const Example& example = examples()[GetParam()];
  Settings settings;
  example.set(settings);
  const auto row = std::ranges::find(changes(), example.change, &ChangeRow::change);
  for (const Release release : known_releases()) {
    if (release.minor + 1 < row->in.since.minor) continue;  // in which other changes may show
    const bool has = release.has(example.change);
    EXPECT_EQ(answer(example.text, settings, release), has ? example.since : example.before) << release.version();
  }
}

// What the table says of the change, without what is no letter or digit.
std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  const auto row = std::find_if(changes().begin(), changes().end(),
                                [&](const ChangeRow& r) { return r.change == examples()[info.param].change; });
  std::string name(row->what);
  std::erase_if(name, [](unsigned char c) { return !std::isalnum(c) && c != '_'; });
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, Changes, ::testing::Range<std::size_t>(0, examples().size()), test_name);

TEST(Changes, RecomputedWorkIsCountedAsEachReleaseCountsIt) {
  const std::string text = R"(
    primals_1 = placeholder : f32[1, 2, 4, 8]
    tangents_1 = placeholder : f32[1, 2, 4, 8]
    a = aten._scaled_dot_product_flash_attention_for_cpu.default(primals_1, primals_1, primals_1))"
                           R"( : tuple(f32[1, 2, 4, 8], f32[1, 2, 4]) recompute=MUST_RECOMPUTE
    out = operator.getitem(a, 0) : f32[1, 2, 4, 8] recompute=MUST_RECOMPUTE
    loss = aten.exp.default(out) : f32[1, 2, 4, 8]
    grad = aten.mul.Tensor(tangents_1, out) : f32[1, 2, 4, 8]
    return loss | grad)";
  const auto flops = [&](Release release) {
    return static_cast<double>(partition(joint_graph(made_by(release) + text), {}).report.totals.recomputed_flops);
  };
  EXPECT_EQ(flops(Release{13}), 1) << "the item; the wrapper of what 2.13 takes for a random operator has another name";
  EXPECT_EQ(flops(Release{14}), 2) << "the call as one, and the item";
  EXPECT_EQ(flops(Release{15}), 2 * (2 * (2 * 4 * 8 * 4)) + 1) << "scores, weighted values, and the item";
}

TEST(Changes, HaveAnExampleEach) {
  std::set<Change> shown = {Change::ScriptObjectsMayCountNothing, Change::ResultlessOperatorsHaveNoSize,  // in cost/size_test.cpp
                            Change::ReloadsRestoreLayout,  // in offload/copy_from_host_test.cpp
                            Change::FlexAttentionIsCounted, Change::FlopsOfKeywordProducts,  // in cost/flops_test.cpp
                            Change::FlopsOfFlashBySequence, Change::FlopsOfCpuAttention, Change::FlopsOfWideGradients,
                            Change::PrintedCode,             // in show/graph_code_test.cpp
                            Change::GradientsDecideLayout};  // in inductor/lower_test.cpp
  for (const Example& example : examples()) shown.insert(example.change);
  std::set<Change> all;
  for (const ChangeRow& row : changes()) all.insert(row.change);
  EXPECT_EQ(shown, all);
}

}  // namespace
}  // namespace fxcut
