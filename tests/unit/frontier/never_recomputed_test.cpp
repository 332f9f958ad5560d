// The calls that the frontier solver may not run twice.
#include "frontier/never_recomputed.h"

#include <gtest/gtest.h>

#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

// A step that takes `line`, which defines `x`, in the forward and in the backward.
std::string step(const std::string& line, const std::string& head = "", const std::string& gradient = "tangents_1") {
  return head + "primals_1 = placeholder : f32[8]\n" + gradient + " = placeholder tangents_1 : f32[8]\n" + line +
         "\nloss = my.loss.default(x) : f32[8]\ngrad = my.grad.default(" + gradient +
         ", x) : f32[8]\nreturn loss | grad";
}

std::string_view ban_of(const std::string& text, const std::string& name = "x", const Settings& settings = {}) {
  const AnalysedGraph graph(text, settings);
  return name_of(never_recomputed(graph.analysis)[graph.index(name)]);
}

TEST(NeverRecomputed, IgnoresCost) {
  EXPECT_EQ(ban_of(step("x = aten.mm.default(primals_1, primals_1) : f32[8]")), "none");
  EXPECT_EQ(ban_of(step("x = my.own.default(primals_1) : f32[8]")), "none");
  EXPECT_EQ(ban_of(step("x = aten.sum.default(primals_1) : f32[]")), "none");
}

TEST(NeverRecomputed, AreInputsSideEffectsAndCollectives) {
  EXPECT_EQ(ban_of(step("x = aten.sin.default(primals_1) : f32[8]"), "primals_1"), "primal_input");
  EXPECT_EQ(ban_of(step("x = aten.add_.Tensor(primals_1, primals_1) : f32[8]")), "side_effect");
  EXPECT_EQ(ban_of(step("x = higher_order.with_effects(None, op(my.op.default), primals_1) : f32[8]")), "side_effect");
  const std::string reduced = step("x = _c10d_functional.all_reduce.default(primals_1, \"sum\", \"0\") : f32[8]");
  EXPECT_EQ(ban_of(reduced), "collective");
  Settings unsafe;
  unsafe.unsafe_allow_optimization_of_collectives = true;
  EXPECT_EQ(ban_of(reduced, "x", unsafe), "none");
}

TEST(NeverRecomputed, IsWhatTheUserWantsSaved) {
  EXPECT_EQ(ban_of(step("x = aten.sin.default(primals_1) : f32[8] recompute=MUST_SAVE")), "must_save");
  EXPECT_EQ(ban_of(step("x = aten.sin.default(primals_1) : f32[8] recompute=PREFER_SAVE")), "none");
}

// PyTorch lets a view be recomputed that is marked so; where a policy keeps just a part, it is that part.
TEST(NeverRecomputed, IsAViewOnlyWhereItIsThePartThatAPolicyKeeps) {
  AnalysedGraph graph(step("x = aten.slice.Tensor(primals_1, 0, 0, 4) : f32[8] recompute=MUST_SAVE"));
  Meta& meta = graph.joint.graph.nodes[graph.index("x")].meta;
  EXPECT_EQ(never_recomputed(graph.analysis)[graph.index("x")], Ban::None);
  meta.kept_part = true;
  EXPECT_EQ(never_recomputed(graph.analysis)[graph.index("x")], Ban::MustSave);
}

// Nothing is computed a second time where the forward does not need it: PyTorch heeds no such tag either.
TEST(NeverRecomputed, IsNotWhatOnlyTheBackwardNeeds) {
  EXPECT_EQ(ban_of(R"(
    primals_1 = placeholder : f32[8]
    tangents_1 = placeholder : f32[8]
    x = aten.sin.default(primals_1) : f32[8]
    detach = aten.detach.default(x) : f32[8] recompute=MUST_SAVE
    grad = aten.mul.Tensor(tangents_1, detach) : f32[8]
    return x | grad)",
                   "detach"),
            "none");
}

// The user has it recomputed; that PyTorch saves it there spares it to recompute both regions in one piece.
TEST(NeverRecomputed, IsNotWhatPyTorchSavesAtTheBorderOfARegion) {
  AnalysedGraph graph(step("x = aten.sin.default(primals_1) : f32[8] recompute=MUST_SAVE"));
  graph.joint.graph.nodes[graph.index("x")].meta.saved_at_border = true;
  EXPECT_EQ(never_recomputed(graph.analysis)[graph.index("x")], Ban::None);
}

TEST(NeverRecomputed, AreProductsOnRequest) {
  Settings settings;
  settings.ban_recompute_products = true;
  EXPECT_EQ(ban_of(step("x = aten.mm.default(primals_1, primals_1) : f32[8]"), "x", settings), "compute_intensive");
  EXPECT_EQ(ban_of(step("x = aten.sin.default(primals_1) : f32[8]"), "x", settings), "none");
}

TEST(NeverRecomputed, AreRandomOperatorsOnlyWhereTheirStateCannotBeSaved) {
  const std::string random = "x = aten.rand_like.default(primals_1) : f32[8]";
  EXPECT_EQ(ban_of(step(random)), "none");
  EXPECT_EQ(ban_of(step(random, "", "gradient")), "random_operator")
      << "the states have no place among the backward's inputs";
  EXPECT_EQ(ban_of("primals_1 = placeholder : f32[8]\ntangents_1 = placeholder : f32[8]\n" + random +
                   "\nloss = my.loss.default(primals_1) : f32[8]\ngrad = my.grad.default(tangents_1, x) : f32[8]\n"
                   "return loss | grad"),
            "random_operator")
      << "the forward does not run it";
}

// They are the same under a tag: inductor draws them otherwise than the operator under a saved state would.
TEST(NeverRecomputed, AreInductorsSeeds) {
  for (const std::string seeds : {"inductor_seed.default(", "inductor_seeds.default(2, "}) {
    const std::string line = "x = prims." + seeds + "device(cpu)) : i64[2]";
    EXPECT_EQ(ban_of(step(line)), "random_operator");
    EXPECT_EQ(ban_of(step(line + " recompute=PREFER_RECOMPUTE")), "random_operator");
  }
}

TEST(NeverRecomputed, AreSubgraphsThatDrawNumbers) {
  const auto with = [](const std::string& op, const std::string& arguments) {
    return step("sg = get_attr sg\nx = higher_order.wrap(sg, primals_1) : f32[8]",
                subgraphs_line({{"sg", "a = placeholder : f32[8]\nb = " + op + "(" + arguments + ") : f32[8]\nreturn b"}}));
  };
  EXPECT_EQ(ban_of(with("aten.sin.default", "a")), "none");
  EXPECT_EQ(ban_of(with("aten.rand_like.default", "a")), "side_effect");
  EXPECT_EQ(ban_of(with("higher_order.run_and_save_rng_state", "op(aten.rand_like.default), a")), "side_effect");
  EXPECT_EQ(ban_of(with("higher_order.run_with_rng_state", "a, op(aten.rand_like.default), a")), "none");
}

TEST(NeverRecomputed, IsWhatReadsOrMakesWhatIsWrittenToLater) {
  const std::string writes = "\nwritten = aten.copy_.default(PLACE, primals_1) : f32[8]@0 partitioner_tag=is_forward";
  const auto with = [&](const std::string& line, const std::string& place) {
    std::string text = line + writes;
    return step(text.replace(text.find("PLACE"), 5, place));
  };
  EXPECT_EQ(ban_of(step("x = aten.sin.default(primals_1) : f32[8]")), "none");
  EXPECT_EQ(ban_of(with("x = aten.sin.default(primals_1) : f32[8]@7", "x")), "overwritten");
}

TEST(NeverRecomputed, AreLoopsInInductorsCode) {
  AnalysedGraph graph(step("x = higher_order.while_loop(primals_1) : f32[8]"));
  EXPECT_EQ(never_recomputed(graph.analysis)[graph.index("x")], Ban::None);
  graph.joint.compiler = kInductor;
  EXPECT_EQ(never_recomputed(graph.analysis)[graph.index("x")], Ban::Overwritten);
  // Of a checkpointed one the items carry the tag: they are saved in its place.
  AnalysedGraph tagged(
      step("loop = higher_order.while_loop(primals_1) : tuple(f32[8]@7) recompute=MUST_RECOMPUTE\n"
           "x = operator.getitem(loop, 0) : f32[8]@7 recompute=MUST_RECOMPUTE"));
  tagged.joint.compiler = kInductor;
  EXPECT_EQ(never_recomputed(tagged.analysis)[tagged.index("loop")], Ban::Overwritten);
  EXPECT_EQ(never_recomputed(tagged.analysis)[tagged.index("x")], Ban::Overwritten);
}

}  // namespace
}  // namespace fxcut
