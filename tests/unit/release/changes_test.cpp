// Each change between releases, by a small graph whose partition it changes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "diagnostic/diagnostic.h"
#include "examples_since_2_10.h"
#include "examples_since_2_14.h"
#include "examples_since_2_5.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

// The nodes of both sides; or, if there is no partition, the first line of the message.
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

const std::vector<ExampleOfChange>& examples() {
  static const std::vector<ExampleOfChange> all = [] {
    std::vector<ExampleOfChange> joined = examples_since_2_14();
    for (const auto* more : {&examples_since_2_10(), &examples_since_2_5()})
      joined.insert(joined.end(), more->begin(), more->end());
    return joined;
  }();
  return all;
}

const ChangeRow& row_of(Change change) { return *std::ranges::find(changes(), change, &ChangeRow::change); }

class Changes : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Changes, ShowInAGraphOfTheirOwn) {
  const ExampleOfChange& example = examples()[GetParam()];
  Settings settings;
  example.set(settings);
  const Release since = row_of(example.change).in.since;
  EXPECT_EQ(answer(example.text, settings, {since.minor - 1}), example.before);
  EXPECT_EQ(answer(example.text, settings, since), example.since);
}

// The table's text on the change, reduced to letters and digits.
std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name(row_of(examples()[info.param].change).what);
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
  EXPECT_EQ(flops(kTorch2_13), 1) << "the item; the wrapper of what 2.13 takes for a random operator has another name";
  EXPECT_EQ(flops(kTorch2_15), 2 * (2 * (2 * 4 * 8 * 4)) + 1) << "scores, weighted values, and the item";
}

TEST(Changes, ValuesCopiedBackKeepTheirLayout) {
  const std::string text = kExampleStep + R"(
    a = aten.mm.default(primals_1, primals_1) : f32[4] on cuda:0 should_offload=true
    loss = aten.exp.default(a) : f32[4]
    grad = my.own.default(tangents_1, a) : f32[4]
    return loss | grad)";
  Settings settings;
  offload_on_a_stream(settings);
  const auto backward = [&](Release release) {
    return text_of(partition(joint_graph(made_by(release) + text), settings).graphs.backward);
  };
  EXPECT_NE(backward(kTorch2_12).find("gpu_reload_a = ao.wait_tensor.default(async_gpu_reload_a)"), std::string::npos)
      << backward(kTorch2_12);
  EXPECT_NE(backward(kTorch2_13).find("gpu_reload_a = ao.wait_tensor.default(async_gpu_reload_a, cpu_offload_a)"),
            std::string::npos)
      << backward(kTorch2_13);
}

// The step with `opaque` as a script object, whose type the notation cannot express.
JointGraph with_script_object(Release release, std::string_view type) {
  JointGraph joint = joint_graph(made_by(release) + kExampleForward + R"(
    made = my.make.default(primals_1) : opaque partitioner_tag=is_forward
    loss = my.use.default(primals_1, made) : f32[4] partitioner_tag=is_forward
    tangents_1 = placeholder : f32[4]
    grad = my.own.default(tangents_1, made) : f32[4]
    return loss | grad)");
  Node& made = joint.graph[id_named(joint.graph, "made")];
  auto value = std::make_shared<Value>(*made.value);
  value->type_name = type;
  made.value = value;
  return joint;
}

std::string answer_with(Release release, std::string_view type, const Settings& settings) {
  try {
    const Partition result = partition(with_script_object(release, type), settings);
    return names_of(result.graphs.forward) + " | " + names_of(result.graphs.backward);
  } catch (const Failure& failure) {
    return failure.diagnostics().at(0).message;
  }
}

TEST(Changes, OpaqueValuesAreSavedSinceTheyTravel) {
  constexpr std::string_view kSaved = "primals_1 made loss output | made tangents_1 grad output";
  Settings by_default;
  decide_by_default_partitioner(by_default);
  EXPECT_EQ(answer_with(kTorch2_12, "Handle", by_default), kSaved);
  EXPECT_EQ(answer_with(kTorch2_11, "Handle", by_default), "'made' is not a tensor, so it cannot be saved");
  Settings settings;
  EXPECT_EQ(answer_with(kTorch2_12, "Handle", settings), kSaved);
  EXPECT_EQ(answer_with(kTorch2_11, "FakeScriptObject", settings), kSaved);
  EXPECT_NE(answer_with(kTorch2_11, "Handle", settings), kSaved);
  EXPECT_NE(answer_with(kTorch2_10, "FakeScriptObject", settings), kSaved);
}

TEST(Changes, AScriptObjectMayCountNothing) {
  Settings settings;
  settings.ban_recompute_not_in_allowlist = settings.ban_recompute_materialized_backward = false;
  settings.unsafe_treat_script_objects_as_zero_size = true;
  EXPECT_EQ(answer_with(kTorch2_13, "FakeScriptObject", settings), "primals_1 made loss output | made tangents_1 grad output");
  EXPECT_EQ(answer_with(kTorch2_12, "FakeScriptObject", settings),
            "the decision needs the size of 'made', but its value is a script object, which may hold tensors");
}

TEST(Changes, HaveAnExampleEach) {
  std::set<Change> shown = {
      Change::FlopsOfKeywordProducts,   Change::FlopsOfFlashBySequence,    Change::FlopsOfCpuAttention,
      Change::FlopsOfWideGradients,     Change::FlopsOfSharedHeads,        Change::FlopsOfScaledProducts,
      Change::FlopsOfCudnnConvolutions, Change::FlopsOfOtherConvolutions,  Change::FlopsOfCudnnAttention,  // cost/flops_test.cpp
      Change::FlopsOfFlexAttention,
      Change::ReloadsRestoreLayout,       Change::ScriptObjectsAreSaved,       Change::ScriptObjectsMayCountNothing,  // below
      Change::OpaqueValuesAreSaved,
      Change::SubgraphsLoseDeadCode,      // normalise/dead_code_test.cpp
      Change::PrintedCode,                // show/graph_code_test.cpp
      Change::GradientsDecideLayout,      Change::GradientsOrderInputs,  // inductor/lower_test.cpp
      Change::FlatReductionsMix,          Change::ReadsInTwoWaysFuse,  // inductor/fuse_test.cpp
      Change::WholeMatricesAreAdded,      Change::PaddingsAreConcatenations,  // inductor/lower_test.cpp
      Change::NamesCountFromBase,         Change::NamesCountFromZero,      // graph/naming_test.cpp
      Change::TritonResultsDoNotFuse,     Change::ClonedArgumentsFuse,     // cost/fusibility_test.cpp
      Change::KneeByLinspace,             // solve/knapsack_test.cpp
      Change::OutputIsKeptWithoutStates,  // finish/rng_state_test.cpp
      Change::DictionariesHaveSizes,      // cost/size_test.cpp
      Change::OutputsAreATuple,           // extract/extract_graph_test.cpp
  };
  for (const ExampleOfChange& example : examples()) shown.insert(example.change);
  std::set<Change> all;
  for (const ChangeRow& row : changes()) all.insert(row.change);
  EXPECT_EQ(shown, all);
}

}  // namespace
}  // namespace fxcut
