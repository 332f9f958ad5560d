// A graph as numbers: what can be kept, its cost, and what runs again without it.
#include "frontier/recompute_problem.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "frontier/evaluate.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

struct Problem : AnalysedGraph {
  explicit Problem(std::string_view text, Settings given = {})
      : AnalysedGraph(text, std::move(given)),
        storages(storage_bytes(joint.graph)),
        problem(recompute_problem(analysis, storages, flops_by_node(analysis))) {}

  const Item& item(std::string_view name) const {
    for (const Item& found : problem.items) {
      if (found.node == id(name)) return found;
    }
    throw InternalError(fmt::format("{} is no item", name));
  }
  bool has(std::string_view name) const {
    return std::any_of(problem.items.begin(), problem.items.end(), [&](const Item& i) { return i.node == id(name); });
  }
  // "32 bytes, 5 FLOP: saved a; run again b" with the storages of these nodes kept.
  std::string keeping(const std::vector<std::string>& names) const {
    KeptStorages kept(problem.storages.size(), false);
    for (const std::string& name : names) kept[item(name).storage] = true;
    Evaluation evaluation(problem);
    const Outcome outcome = evaluation.run(kept);
    std::string saved, again;
    for (ItemIndex i = 0; i < problem.items.size(); ++i) {
      const std::string name = " " + joint.graph[problem.items[i].node].name;
      if (evaluation.is_saved(i)) saved += name;
      if (evaluation.is_recomputed(i)) again += name;
    }
    return fmt::format("{} bytes, {} FLOP{}: saved{}; run again{}", outcome.bytes, static_cast<long>(outcome.run_cost),
                       outcome.feasible ? "" : ", impossible", saved, again);
  }

  StorageBytes storages;
  RecomputeProblem problem;
};

constexpr std::string_view kStep = R"(
    weight = placeholder primals_1 : f32[4, 4]@0 static
    input = placeholder primals_2 : f32[4, 4]@1
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(input, weight) : f32[4, 4]@2
    turned = aten.permute.default(mm, [1, 0]) : f32[4, 4]@2
    sin = aten.sin.default(turned) : f32[4, 4]@3
    unused = aten.cos.default(sin) : f32[4, 4]@4
    before = aten.exp.default(sin) : f32[4, 4]@5
    grad = my.grad.default(tangents_1, turned, sin, before, weight) : f32[4, 4]
    return unused | grad)";

TEST(RecomputeProblem, HoldsWhatTheBackwardMayNeed) {
  const Problem step(kStep);
  EXPECT_TRUE(step.has("mm"));
  EXPECT_FALSE(step.has("unused")) << "the backward does not take it";
  EXPECT_FALSE(step.has("tangents_1"));
  EXPECT_TRUE(step.item("sin").demanded);
  EXPECT_FALSE(step.item("mm").demanded);
  EXPECT_TRUE(step.item("sin").in_forward);
  EXPECT_FALSE(step.item("before").in_forward) << "only the backward needs it";
}

TEST(RecomputeProblem, CountsStorages) {
  const Problem step(kStep);
  EXPECT_EQ(step.item("weight").storage, kFreeStorage);
  EXPECT_EQ(step.item("mm").storage, step.item("turned").storage);
  EXPECT_TRUE(step.item("turned").is_view);
  EXPECT_FALSE(step.item("mm").is_view);
  EXPECT_EQ(step.problem.storages[step.item("mm").storage].bytes, 64);
  EXPECT_EQ(step.problem.storages[step.item("mm").storage].roots, 1u);
}

TEST(RecomputeProblem, KeptValuesAreNotRunAgain) {
  const Problem step(kStep);
  EXPECT_EQ(step.keeping({}), "0 bytes, 130 FLOP, impossible: saved weight; run again input mm turned sin before");
  EXPECT_EQ(step.keeping({"input"}), "64 bytes, 130 FLOP: saved weight input; run again mm turned sin before");
  EXPECT_EQ(step.keeping({"mm"}), "64 bytes, 1 FLOP: saved weight turned; run again sin before");
  EXPECT_EQ(step.keeping({"mm", "sin", "input"}), "128 bytes, 0 FLOP: saved weight turned sin; run again before");
}

TEST(RecomputeProblem, InductorDoesNotSaveATensorThatRepeatsElements) {
  const std::string text = R"(
    input = placeholder primals_1 : f32[4]@1
    tangents_1 = placeholder : f32[4]
    exp = aten.exp.default(input) : f32[4]{1}@2
    repeated = aten.expand.default(exp, [8, 4]) : f32[8, 4]{0, 1}@2
    turned = aten.permute.default(repeated, [1, 0]) : f32[4, 8]{1, 0}@2
    loss = my.loss.default(turned) : f32[4]@3
    grad = my.grad.default(tangents_1, turned) : f32[4]
    return loss | grad)";
  EXPECT_EQ(Problem(text).keeping({"exp"}), "16 bytes, 0 FLOP: saved turned; run again");
  const Problem compiled(text + "\n\"compiler\": \"inductor\"");
  EXPECT_EQ(compiled.keeping({"exp"}), "16 bytes, 2 FLOP: saved exp; run again repeated turned")
      << "it would be copied, and take 128 bytes";
}

TEST(RecomputeProblem, BackwardOnlyValuesCostIfBothSidesRunThem) {
  const Problem step(R"(
    input = placeholder primals_1 : f32[4]@1
    tangents_1 = placeholder : f32[4]
    loss = my.loss.default(input) : f32[4]@2
    before = aten.exp.default(input) : f32[4]@3
    after = aten.sin.default(before) : f32[4]@4
    grad = my.grad.default(tangents_1, before, after) : f32[4]
    return loss | grad)");
  EXPECT_EQ(step.keeping({"input"}), "16 bytes, 0 FLOP: saved input; run again before after");
  EXPECT_EQ(step.keeping({"input", "after"}), "32 bytes, 1 FLOP: saved input after; run again before")
      << "the forward runs 'before' for 'after', and the backward again";
}

TEST(RecomputeProblem, ItemsOfATupleInOneMemoryAreViews) {
  const Problem step(R"(
    input = placeholder primals_1 : f32[4]@1
    tangents_1 = placeholder : f32[4]
    exp = aten.exp.default(input) : f32[4]@2
    halves = aten.split.Tensor(exp, 2) : tuple(f32[2]@2, f32[2]@2)
    first = operator.getitem(halves, 0) : f32[2]@2
    second = operator.getitem(halves, 1) : f32[2]@2
    loss = my.loss.default(second) : f32[4]@3
    grad = my.grad.default(tangents_1, first) : f32[4]
    return loss | grad)");
  EXPECT_TRUE(step.item("halves").is_view);
  EXPECT_FALSE(step.item("halves").savable);
  EXPECT_TRUE(step.item("first").is_view);
  EXPECT_EQ(step.keeping({"exp"}), "16 bytes, 0 FLOP: saved first; run again");
  EXPECT_EQ(step.keeping({"input"}), "16 bytes, 2 FLOP: saved input; run again exp halves first")
      << "the forward does not run 'first'";
}

TEST(RecomputeProblem, ItemsOfATupleInMemoriesOfTheirOwnAreRoots) {
  const Problem step(R"(
    input = placeholder primals_1 : f32[4]@1
    tangents_1 = placeholder : f32[4]
    pair = my.pair.default(input) : tuple(f32[4]@2, f32[8]@3)
    first = operator.getitem(pair, 0) : f32[4]@2
    second = operator.getitem(pair, 1) : f32[8]@3
    loss = my.loss.default(second) : f32[4]@4
    grad = my.grad.default(tangents_1, first, second) : f32[4]
    return loss | grad)");
  EXPECT_EQ(step.item("pair").storage, kNoStorage);
  EXPECT_EQ(step.keeping({"first"}), "16 bytes, 2 FLOP, impossible: saved first; run again input pair second");
  EXPECT_EQ(step.keeping({"first", "second"}), "48 bytes, 0 FLOP: saved first second; run again");
}

TEST(RecomputeProblem, SymbolicNumbersAreFree) {
  const Problem step(R"(
    s0 = placeholder primals_1 : symint(s0=4)
    input = placeholder primals_2 : f32[s0=4]@1
    tangents_1 = placeholder : f32[s0=4]
    loss = my.loss.default(input) : f32[s0=4]@2
    grad = my.grad.default(tangents_1, s0) : f32[s0=4]
    return loss | grad)");
  EXPECT_EQ(step.keeping({}), "0 bytes, 0 FLOP: saved s0; run again");
}

TEST(RecomputeProblem, ValuesTaggedToBeRecomputedAreNotSaved) {
  const Problem step(R"(
    input = placeholder primals_1 : f32[4]@1
    tangents_1 = placeholder : f32[4]
    sin = aten.sin.default(input) : f32[4]@2 recompute=MUST_RECOMPUTE
    loss = my.loss.default(sin) : f32[4]@3
    grad = my.grad.default(tangents_1, sin) : f32[4]
    return loss | grad)");
  EXPECT_FALSE(step.item("sin").savable);
  EXPECT_EQ(step.keeping({"sin", "input"}), "16 bytes, 1 FLOP: saved input; run again sin");
}

// PyTorch 2.15 gives Inductor's seeds the tag of the first region that draws.
TEST(RecomputeProblem, SeedsAreSavedWhateverTheirTag) {
  const Problem step(R"(
    tangents_1 = placeholder : f32[4]
    seeds = prims.inductor_seeds.default(1, device(cpu)) : i64[1]@1 recompute=PREFER_RECOMPUTE
    seed = prims.inductor_lookup_seed.default(seeds, 0) : i64[]@2 recompute=PREFER_RECOMPUTE
    drawn = prims.inductor_random.default([4], seed) : f32[4]@3 recompute=PREFER_RECOMPUTE
    loss = my.loss.default(drawn) : f32[4]@4
    grad = my.grad.default(tangents_1, drawn) : f32[4]
    return loss | grad)");
  EXPECT_FALSE(step.item("seed").savable);
  EXPECT_EQ(step.keeping({"seeds"}), "8 bytes, 2 FLOP: saved seeds; run again seed drawn");
}

TEST(RecomputeProblem, RefusesWhatItCannotCount) {
  EXPECT_THROW(Problem(R"(
    a = placeholder primals_1 : f32[1000000000, 1000000000]@1
    tangents_1 = placeholder : f32[4]
    mm = aten.mm.default(a, a) : f32[1000000000, 1000000000]@2
    loss = my.loss.default(mm) : f32[4]@3
    grad = my.grad.default(tangents_1, mm) : f32[4]
    return loss | grad)"),
               Failure);
}

}  // namespace
}  // namespace fxcut
