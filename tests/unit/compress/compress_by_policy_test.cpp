// The policy COMPRESS: which saved values cross in which form, and what is said of those that do not.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "compress/compress_as_requested.h"
#include "compress/form_on_request.h"
#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "read/read_policy.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// The backward needs a product, a view of it, a mask and what the caller gets as well.
const std::string kSaving = R"(
  primals_1 = placeholder : f32[16, 16]
  tangents_1 = placeholder : f32[16, 16]
  a = aten.mm.default(primals_1, primals_1) : f32[16, 16]{16, 1}@2 runtime_ms=1
  v = aten.view.default(a, [256]) : f32[256]{1}@2
  named = xla.name_tensor.default(v, "q") : f32[256]{1}@2
  mask = my.mask.default(a) : bool[16, 16]{16, 1}@3 runtime_ms=1
  loss = my.loss.default(named, mask) : f32[16, 16]{16, 1}@4
  grad = my.grad.default(tangents_1, named, mask, loss) : f32[16, 16]{16, 1}
  return loss | grad)";

PolicyStack stack_with(const std::string& rules) {
  const std::string text = R"({"version": 1, "policies": [{"name": "p", "rules": [)" + rules + "]}]}";
  return read_policies(*Document::parse(text, "policy.json"));
}

std::string rule(const std::string& match, const std::string& dtype = "") {
  return R"({"match": {)" + match + R"(}, "policy": "COMPRESS")" + (dtype.empty() ? "" : R"(, "dtype": ")" + dtype + "\"") + "}";
}

// "a=scaled to float8_e5m2": the saved values that cross in fewer bits.
std::string forms_in(const Report& report) {
  std::string text;
  for (const SavedValue& row : report.saved_values) {
    if (!row.compressed) continue;
    text += (text.empty() ? "" : ", ") + row.name + "=";
    text += std::string(name_of(row.compressed->how)) + " to " + row.compressed->dtype;
  }
  return text;
}

Report decided(const std::string& rules, const Settings& settings = {}, const std::string& graph = kSaving) {
  return partition(joint_graph(graph), settings, stack_with(rules)).report;
}

// Why FormsOnRequest has no form for the node; nullopt: it has one.
std::optional<NoForm> why_not(const JointGraph& joint, std::string_view node) {
  const auto form = FormsOnRequest(joint).of(id_named(joint.graph, node), *find_dtype("float8_e5m2"));
  const auto* reason = std::get_if<NoForm>(&form);
  return reason ? std::optional(*reason) : std::nullopt;
}

using Warnings = std::vector<std::string>;

TEST(CompressByPolicy, ANameHoldsForWhicheverViewIsSaved) {
  EXPECT_EQ(forms_in(decided(rule(R"("name": "q")"))), "named=scaled to float8_e4m3fn");
  EXPECT_EQ(forms_in(decided(rule(R"("op": "aten.view")", "torch.float8_e5m2"))), "named=scaled to float8_e5m2");
}

TEST(CompressByPolicy, WithoutADtypeItIsThatOfTheSettings) {
  Settings settings;
  settings.compress_dtype = "torch.float8_e5m2";
  EXPECT_EQ(forms_in(decided(rule(R"("node": "a")"), settings)), "named=scaled to float8_e5m2");
}

TEST(CompressByPolicy, BooleansLoseNothingWhateverTheDtype) {
  EXPECT_EQ(forms_in(decided(rule(R"("dtype": "bool")", "float8_e5m2"))), "mask=bits to uint8");
}

TEST(CompressByPolicy, ItDoesNotSayWhetherAValueIsSaved) {
  const std::string recomputes = R"({"match": {"node": "a"}, "policy": "MUST_RECOMPUTE"}, )";
  const Report report = decided(recomputes + rule(R"("node": "a")"));
  EXPECT_EQ(forms_in(report), "");
  EXPECT_EQ(report.warnings, Warnings{"policy 'p', rule 2: node a: compresses nothing: no value that it matches is saved"});
}

TEST(CompressByPolicy, TheFirstRuleOfEachKindDecides) {
  const std::string saves = R"(, {"match": {"node": "a"}, "policy": "MUST_SAVE"}, )";
  const Report report = decided(rule(R"("node": "a")", "float8_e5m2") + saves + rule(R"("class": "matmul")"));
  EXPECT_EQ(forms_in(report), "a=scaled to float8_e5m2");
  EXPECT_EQ(report.warnings,
            Warnings{"policy 'p', rule 3: class matmul: has no effect, since earlier rules match the same nodes, such as "
                     "rule 1: node a; put it before them"});
}

TEST(CompressByPolicy, TheInnermostLevelDecides) {
  PolicyStack stack = stack_with(rule(R"("node": "a")", "float8_e5m2"));
  stack.push_back(stack_with(rule(R"("name": "q")", "float16")).front());
  EXPECT_EQ(forms_in(partition(joint_graph(kSaving), {}, stack).report), "named=scaled to float16");
}

TEST(CompressByPolicy, TheReportNamesTheRule) {
  const Report report = decided(rule(R"("dtype": "bool")"));
  ASSERT_EQ(forms_in(report), "mask=bits to uint8");
  for (const SavedValue& row : report.saved_values) {
    if (row.compressed) {
      EXPECT_EQ(row.compressed->by, "policy 'p', rule 1: dtype bool");
    }
  }
}

TEST(CompressByPolicy, OutputsAndInputsCrossAsTheyAre) {
  const Report report = decided(rule(R"("node": "loss")") + ", " + rule(R"("kind": "input")"));
  EXPECT_EQ(forms_in(report), "");
  EXPECT_EQ(report.warnings,
            (Warnings{"policy 'p', rule 1: node loss: compresses nothing: 'loss' is returned to the forward's caller",
                      "policy 'p', rule 2: kind input: compresses nothing: no value that it matches is saved"}));
}

TEST(CompressByPolicy, MemoryThatIsWrittenToKeepsItsDtype) {
  const JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[16, 16]
    tangents_1 = placeholder : f32[16, 16]
    a = aten.mm.default(primals_1, primals_1) : f32[16, 16]@2
    b = aten.mul_.Tensor(a, 2) : f32[16, 16]@2
    loss = my.loss.default(b) : f32[16, 16]
    grad = my.grad.default(tangents_1, b) : f32[16, 16]
    return loss | grad)");
  EXPECT_EQ(why_not(joint, "a"), NoForm::Written);
}

TEST(CompressByPolicy, ScalesOfShortRowsTakeMoreThanTheCastSaves) {
  const JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[16, 1]
    tangents_1 = placeholder : f32[16, 1]
    a = aten.sin.default(primals_1) : f32[16, 1]@2
    loss = my.loss.default(a) : f32[16, 1]
    grad = my.grad.default(tangents_1, a) : f32[16, 1]
    return loss | grad)");
  EXPECT_EQ(why_not(joint, "a"), NoForm::NotSmaller);
}

TEST(CompressByPolicy, SavedValuesInOneMemoryCrossAsTheyAre) {
  JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[16, 16]
    tangents_1 = placeholder : f32[16, 16]
    a = aten.mm.default(primals_1, primals_1) : f32[16, 16]@2
    v = aten.view.default(a, [256]) : f32[256]@2
    c = aten.mm.default(a, a) : f32[16, 16]@3
    loss = my.loss.default(c, v) : f32[16, 16]@4
    grad = my.grad.default(tangents_1, a, v, c) : f32[16, 16]@5
    return loss | grad)");
  std::vector<NodeId> crossing;
  RequestedForms requested{{"the rule"}, {}};
  for (const char* const name : {"a", "v", "c"}) {
    crossing.push_back(id_named(joint.graph, name));
    joint.graph[crossing.back()].meta.compress_to = find_dtype("float8_e5m2");
    requested.rule_of.emplace(name, 0);
  }
  EXPECT_TRUE(compress_as_requested(joint, crossing));
  EXPECT_EQ(joint.graph[crossing[0]].meta.compression, Compression::None);
  EXPECT_EQ(joint.graph[crossing[1]].meta.compression, Compression::None);
  EXPECT_EQ(joint.graph[crossing[2]].meta.compression, Compression::Scaled);
  EXPECT_EQ(warnings_of_requests(joint, crossing, requested),
            Warnings{"the rule: crosses as it is: 'a' is in the memory of another saved value, as 1 more"});
}

// PyTorch passes what the forward saves before the tangents, and the backward state after them.
TEST(CompressByPolicy, ScalesArePassedBeforeTheTangents) {
  const Partition result = partition(joint_graph(R"(
    primals_1 = placeholder : f32[16, 16]@0
    state = placeholder : backward_state
    tangents_1 = placeholder : f32[16, 16]@1
    a = aten.mm.default(primals_1, primals_1) : f32[16, 16]{16, 1}@2 runtime_ms=1
    loss = my.loss.default(a) : f32[16, 16]@3
    grad = my.hook.default(tangents_1, a, state) : f32[16, 16]@4
    return loss | grad)"),
                                     {}, stack_with(rule(R"("node": "a")")));
  EXPECT_TRUE(names_of(result.graphs.backward).starts_with("compressed_a compressed_scale_a tangents_1 state "))
      << names_of(result.graphs.backward);
}

Settings within(const char* limit) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = parse_memory_limit(limit);
  return settings;
}

TEST(CompressByPolicy, ALimitCountsWhatCrosses) {
  // The product in 8 bits with 16 scales, and the mask as bits.
  const Report report = decided(rule(R"("kind": "activation")"), within("352B"));
  EXPECT_EQ(forms_in(report), "a=scaled to float8_e4m3fn, mask=bits to uint8");
  EXPECT_EQ(report.totals.held_bytes(), 16 * 16 + 16 * 4 + 32);
  EXPECT_EQ(report.frontier->saved_bytes, report.totals.held_bytes());
}

TEST(CompressByPolicy, TheSolverHasNoOtherFormForAValue) {
  Settings settings = within("1MB");
  settings.compress = Compress::Auto;
  EXPECT_EQ(forms_in(decided("", settings)), "") << "as they are they cost nothing";
  EXPECT_EQ(forms_in(decided(rule(R"("node": "a")", "float16"), settings)), "a=scaled to float16");
}

TEST(CompressByPolicy, IsRefusedBesideALimitOfThePeak) {
  Settings settings = within("1MB");
  std::swap(settings.saved_bytes_limit, settings.peak_bytes_limit);
  settings.recompute_again = true;
  try {
    decided(rule(R"("node": "a")"), settings);
    FAIL() << "the peak would be another";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.diagnostics().at(0).message,
              "policy 'p' has values saved in fewer bits (COMPRESS), which cannot be combined with --recompute-again");
  }
}

}  // namespace
}  // namespace fxcut
