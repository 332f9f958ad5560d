// The report on a partition: totals, crossing values with their positions, and reasons.
#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "cost/device_profile.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

Report report(const std::string& text, const Settings& settings = {}) {
  return partition(joint_graph(text), settings).report;
}

std::string saved_names(const Report& r) {
  std::string names;
  for (const SavedValue& saved : r.saved_values) names += (names.empty() ? "" : " ") + saved.name;
  return names;
}

const SavedValue& saved(const Report& r, std::string_view name) {
  return *std::find_if(r.saved_values.begin(), r.saved_values.end(),
                       [&](const SavedValue& s) { return s.name == name; });
}

const std::string kStep = R"(
  primals_1 = placeholder : f32[4, 4]{4, 1}@1 static
  primals_2 = placeholder : f32[4, 4]{4, 1}@2
  tangents_1 = placeholder : f32[4, 4]{4, 1}@3
  mm = aten.mm.default(primals_1, primals_2) : f32[4, 4]{4, 1}@4 module=layers.0 source={"file":"m.py","line":3}
  sin = aten.sin.default(mm) : f32[4, 4]{4, 1}@5
  cos = aten.cos.default(mm) : f32[4, 4]{4, 1}@6
  loss = aten.add.Tensor(sin, cos) : f32[4, 4]{4, 1}@7
  grad_sin = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]{4, 1}@8
  grad = aten.mul.Tensor(grad_sin, cos) : f32[4, 4]{4, 1}@9
  grad_mm = aten.mm.default(grad, primals_1) : f32[4, 4]{4, 1}@10
  return loss | grad_mm)";

TEST(Report, TotalsAddUpWhatIsSavedAndWhatRuns) {
  const Report r = report(kStep);
  ASSERT_EQ(saved_names(r), "primals_1 mm");
  EXPECT_EQ(r.totals.saved_bytes, 128);
  EXPECT_EQ(r.totals.saved_bytes_static, 64);
  EXPECT_EQ(r.totals.saved_bytes_not_static, 64);
  EXPECT_EQ(r.totals.saved_values, 2u);
  EXPECT_EQ(r.totals.saved_symbols, 0u);
  EXPECT_EQ(r.totals.recomputed_operators, 2u);
  EXPECT_TRUE(r.totals.recomputed_flops == 2);
  EXPECT_EQ(r.totals.forward_operators, 4u);
  EXPECT_EQ(r.totals.backward_operators, 5u);
  const std::map<std::string, std::size_t> kinds = {{"aten.cos.default", 1}, {"aten.sin.default", 1}};
  EXPECT_EQ(r.totals.recomputed_by_operator, kinds);
}

TEST(Report, TheStepTakesWhatItsTwoGraphsTake) {
  Settings settings;
  settings.own_device = std::make_shared<const DeviceProfile>(  // a microsecond for each kilobyte
      DeviceProfile{"mine", 1, 1, 0, 2, 4, 1, "made up", 0.5, {1, 1, 1}});
  const Report r = report(R"(
    primals_1 = placeholder : f32[250]
    tangents_1 = placeholder : f32[250]
    sin = aten.sin.default(primals_1) : f32[250]
    cos = aten.cos.default(primals_1) : f32[250]
    mul = aten.mul.Tensor(tangents_1, cos) : f32[250]
    return sin | mul)",
                          settings);
  ASSERT_EQ(saved_names(r), "primals_1");
  EXPECT_DOUBLE_EQ(r.run_time->step_ms * 1e3, 5) << "primals_1 is read in both, sin and mul are written, tangents_1 is read";
}

TEST(Report, SavedValuesSayWhatAndWhereTheyAre) {
  const Report r = report(kStep);
  const SavedValue& mm = saved(r, "mm");
  EXPECT_EQ(mm.op, "aten.mm.default");
  EXPECT_EQ(mm.dtype, "float32");
  EXPECT_EQ(mm.shape.size(), 2u);
  EXPECT_EQ(mm.size_bytes, 64);
  EXPECT_EQ(mm.forward_output, 2u);
  EXPECT_EQ(mm.backward_input, 1u);
  EXPECT_FALSE(mm.static_lifetime);
  EXPECT_EQ(mm.provenance.module, "layers.0");
  EXPECT_EQ(mm.provenance.source_line, 3);
  EXPECT_TRUE(saved(r, "primals_1").static_lifetime);
  EXPECT_EQ(saved(r, "primals_1").op, "placeholder");
}

TEST(Report, SaysWhy) {
  const Report r = report(kStep);
  EXPECT_EQ(saved(r, "mm").why.reason, "not_in_allowlist");
  EXPECT_TRUE(saved(r, "mm").why.cost == Int128{77}) << "two nodes from the backward: 64 * 1.21";
  EXPECT_EQ(saved(r, "primals_1").why.reason, "primal_input");
  EXPECT_TRUE(saved(r, "primals_1").why.cost == Int128{0}) << "a parameter is free";
  ASSERT_EQ(r.recomputed_values.size(), 2u);
  EXPECT_EQ(r.recomputed_values[0].name, "sin");
  EXPECT_EQ(r.recomputed_values[0].why.reason, "cheaper_to_recompute");
  EXPECT_EQ(r.recomputed_values[0].size_bytes, 64);
}

TEST(Report, AValueThatCouldBeRecomputedNamesWhatItComesFrom) {
  const Report r = report(R"(
    primals_1 = placeholder : f32[16, 4]
    tangents_1 = placeholder : f32[4]
    big = aten.mm.default(primals_1, primals_1) : f32[16, 4]
    small = aten.slice.Tensor(big, 0, 0, 1) : f32[4]
    loss = aten.mm.default(small, small) : f32[4]
    grad = aten.mm.default(tangents_1, small) : f32[4]
    return loss | grad)");
  ASSERT_EQ(saved_names(r), "small");
  EXPECT_EQ(r.saved_values[0].why.reason, "cheapest_cut");
  EXPECT_EQ(
      r.saved_values[0].why.text,
      "the cheapest to save on a path from big, which is not recomputed: its operator is not on the list of cheap ones");
}

TEST(Report, TagsAreReasons) {
  const Report r = report(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    kept = aten.sin.default(primals_1) : f32[4] recompute=MUST_SAVE
    again = aten.mm.default(kept, kept) : f32[4] recompute=MUST_RECOMPUTE
    loss = aten.cos.default(again) : f32[4]
    grad = aten.mul.Tensor(tangents_1, again) : f32[4]
    return loss | grad)");
  ASSERT_EQ(saved_names(r), "kept");
  EXPECT_EQ(r.saved_values[0].why.text, "not recomputed: marked MUST_SAVE");
  ASSERT_EQ(r.recomputed_values.size(), 1u);
  EXPECT_EQ(r.recomputed_values[0].why.text, "its checkpoint policy is MUST_RECOMPUTE");
}

TEST(Report, ABudgetOfZeroIsAReason) {
  Settings settings;
  settings.activation_memory_budget = 0;
  const Report r = report(kStep, settings);
  EXPECT_EQ(saved_names(r), "primals_1 primals_2");
  EXPECT_EQ(r.saved_values[0].why.reason, "budget_zero");
  EXPECT_EQ(r.recomputed_values.at(0).why.reason, "budget_zero");
  EXPECT_TRUE(r.totals.recomputed_flops == 2 * 4 * 4 * 4 + 2) << "mm, sin and cos";
  EXPECT_TRUE(r.cuts.empty());
}

TEST(Report, AStorageCountsOnceAndAsAWhole) {
  const Report r = report(R"(
    primals_1 = placeholder : f32[8]{1}@1
    primals_2 = placeholder : f32[4]{1}@1
    primals_3 = placeholder : f32[2]{1}@2
    alias = aten.view.default(primals_3, [2]) : f32[100]{1}@2
    primals_4 = placeholder : f32[2]{1}@3
    primals_5 = placeholder : f32[2]{1}@3 static
    primals_6 = placeholder : f32[3]
    tangents_1 = placeholder : f32[2]
    loss = my.own.default(primals_1) : f32[2]
    grad = my.own.default(tangents_1, primals_1, primals_2, primals_3, primals_4, primals_5, primals_6) : f32[2]
    return loss | grad)");
  ASSERT_EQ(saved_names(r), "primals_1 primals_2 primals_3 primals_4 primals_5 primals_6");
  EXPECT_EQ(r.totals.saved_bytes, 32 + 16 + 8 + 8 + 8 + 12);
  EXPECT_EQ(r.totals.saved_bytes_static, 8);
  // Storage 1 once; storage 2 as large as the dead view of it; storage 3 is always resident; primals_6 by its elements.
  EXPECT_EQ(r.totals.saved_bytes_not_static, 32 + 400 + 12);
  std::vector<std::int64_t> kept;
  for (const SavedValue& row : r.saved_values) kept.push_back(row.kept_bytes);
  EXPECT_EQ(kept, (std::vector<std::int64_t>{32, 0, 400, 0, 0, 12})) << "with the first value in each";
}

TEST(Report, SaysWhoseAnswerItIs) {
  EXPECT_EQ(report(made_by(Release{13}) + kStep).torch.release, Release{13});
  EXPECT_EQ(report(kStep).torch.source, ReleaseChoice::Source::Newest);
  EXPECT_EQ(report(kStep).decided_by, Partitioner::MinCut);
}

// A forward of the default partitioner, which saves `mm`.
std::string tagged(const std::string& words) {
  return "primals_1 = placeholder : f32[4] on cuda:0\n"
         "mm = aten.mm.default(primals_1, primals_1) : f32[4] on cuda:0 partitioner_tag=is_forward " + words + "\n"
         "loss = aten.exp.default(mm) : f32[4] on cuda:0 partitioner_tag=is_forward\n"
         "tangents_1 = placeholder : f32[4] on cuda:0\n"
         "grad = aten.mul.Tensor(tangents_1, mm) : f32[4] on cuda:0\nreturn loss | grad";
}

TEST(Report, TheDefaultPartitionersReasons) {
  Settings settings;
  settings.partitioner = Partitioner::Default;
  EXPECT_EQ(saved(report(tagged(""), settings), "mm").why.reason, "taken_by_backward");
  EXPECT_EQ(saved(report(tagged("recompute=MUST_SAVE"), settings), "mm").why.reason, "must_save");
  EXPECT_EQ(saved(report(tagged(""), settings), "mm").why.cost, std::nullopt) << "no cut weighed it";
  const Report r = report(tagged("recompute=MUST_RECOMPUTE"), settings);
  ASSERT_EQ(r.recomputed_values.size(), 1u);
  EXPECT_EQ(r.recomputed_values[0].why.reason, "checkpoint_policy");
  EXPECT_EQ(r.decided_by, Partitioner::Default);
}

TEST(Report, TheDefaultPartitionerSavesSymbols) {
  Settings settings;
  settings.partitioner = Partitioner::Default;
  const Report r = report(R"(
    primals_1 = placeholder : symint(s0=4)
    primals_2 = placeholder : f32[s0=4]
    loss = aten.exp.default(primals_2) : f32[s0=4] partitioner_tag=is_forward
    tangents_1 = placeholder : f32[s0=4]
    grad = my.own.default(tangents_1, primals_2, primals_1) : f32[s0=4]
    return loss | grad)", settings);
  ASSERT_EQ(r.saved_symbols.size(), 1u);
  EXPECT_EQ(r.saved_symbols[0].why.reason, "symbol");
}

TEST(Report, UnsavableValuesSayWhyTheyAreRecomputed) {
  const Report r = report(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(primals_1) : f32[4] aot_runtime_epilogue_input_mutation=true
    loss = aten.exp.default(a) : f32[4]
    grad = aten.mul.Tensor(tangents_1, a) : f32[4]
    return loss | grad)");
  ASSERT_EQ(r.recomputed_values.size(), 1u);
  EXPECT_EQ(r.recomputed_values[0].name, "a");
  EXPECT_EQ(r.recomputed_values[0].why.reason, "replayed_mutation");
}

TEST(Report, ListsOffloadedValuesAndOthers) {
  Settings settings;
  settings.enable_activation_offloading = true;
  settings.partitioner = Partitioner::Default;
  const Report r = report(tagged("should_offload=true"), settings);
  EXPECT_EQ(saved(r, "mm").host_name, "cpu_offload_mm");
  EXPECT_EQ(saved(r, "mm").forward_output, 1u);
  EXPECT_EQ(saved(r, "mm").backward_input, 0u);
  EXPECT_EQ(r.totals.offloaded_bytes, 16);
  EXPECT_EQ(r.totals.offloaded_values, 1u);
  EXPECT_TRUE(r.offload_refusals.empty());
  const Report refused = report(tagged("should_offload=true recompute=MUST_RECOMPUTE"), settings);
  EXPECT_EQ(refused.totals.offloaded_values, 0u);
  ASSERT_EQ(refused.offload_refusals.size(), 1u);
  EXPECT_EQ(refused.offload_refusals[0].name, "mm");
  EXPECT_EQ(refused.offload_refusals[0].why.reason, "not_saved");
  settings.enable_activation_offloading = false;
  EXPECT_TRUE(report(tagged("should_offload=true recompute=MUST_RECOMPUTE"), settings).offload_refusals.empty());
}

TEST(Report, SymbolsSayWhetherACutSavedThem) {
  const Report r = report(R"(
    primals_1 = placeholder : symint(s0=4)
    primals_2 = placeholder : symint(s1=5)
    primals_3 = placeholder : f32[s0=4]
    tangents_1 = placeholder : f32[s0=4]
    loss = my.own.default(primals_3) : f32[s0=4]
    grad = my.own.default(tangents_1, primals_3, primals_2) : f32[s0=4]
    return loss | grad)");
  ASSERT_EQ(r.saved_symbols.size(), 2u);
  EXPECT_EQ(r.saved_symbols[0].name, "primals_2");
  EXPECT_EQ(r.saved_symbols[0].why.reason, "primal_input");
  EXPECT_EQ(r.saved_symbols[1].name, "primals_1");
  EXPECT_EQ(r.saved_symbols[1].why.reason, "binds_symbol");
  EXPECT_EQ(r.saved_symbols[1].forward_output, 3u);
  EXPECT_EQ(r.saved_symbols[1].backward_input, 1u);
}

TEST(Report, RandomStatesSayWhichOutputIsWhichInput) {
  const Report r = report(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    noise = aten.bernoulli.default(primals_1) : f32[4] on cpu recompute=MUST_RECOMPUTE
    loss = aten.mul.Tensor(noise, primals_1) : f32[4]
    grad = aten.mul.Tensor(tangents_1, noise) : f32[4]
    return loss | grad)");
  ASSERT_EQ(r.saved_random_states.size(), 1u);
  EXPECT_EQ(r.saved_random_states[0].name, "getitem");
  EXPECT_EQ(r.saved_random_states[0].backward_name, "rng_state_output_0");
  EXPECT_EQ(r.saved_random_states[0].forward_output, 2u);
  EXPECT_EQ(r.saved_random_states[0].backward_input, 1u);
}

}  // namespace
}  // namespace fxcut
