// The values that a partition computes differently, as its report lists them.
#include "soundness/find_unsound.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

Report report_of(std::string_view text, const Settings& settings) {
  return partition(joint_graph(text), settings).report;
}

// The reported faults, one line each.
std::string told(const Report& report) {
  std::string text;
  for (const UnsoundValue& row : report.unsound) text += row.text + "\n";
  return text;
}

std::string told(std::string_view text, const Settings& settings) { return told(report_of(text, settings)); }

Settings only_inputs() {
  Settings settings;
  settings.activation_memory_budget = 0;
  return settings;
}

Settings offloading(OffloadDialect dialect = OffloadDialect::Aten, Soundness sound = Soundness::Own) {
  Settings settings;
  settings.enable_activation_offloading = true;
  settings.offload_dialect = dialect;
  settings.sound = sound;
  return settings;
}

// `x` is to be offloaded: its last use is `sin`, but `mul_` writes to its memory on some side.
std::string offloaded_alias(std::string_view side, std::string_view factor) {
  return fmt::format(R"graph(
    primals_1 = placeholder : f32[4, 4]@0
    tangents_1 = placeholder : f32[4, 4]@1
    base = aten.mm.default(primals_1, primals_1) : f32[4, 4]@2 partitioner_tag=is_forward
    x = aten.add_.Tensor(base, primals_1) : f32[4, 4]@2 partitioner_tag=is_forward should_offload=true
    sin = aten.sin.default(x) : f32[4, 4]@3 partitioner_tag=is_forward
    mul_ = aten.mul_.Tensor(base, {1}) : f32[4, 4]@2 partitioner_tag={0}
    grad = aten.mul.Tensor(tangents_1, x) : f32[4, 4]@4
    return sin | grad)graph", side, factor);
}

constexpr OffloadDialect kEachDialect[] = {OffloadDialect::Aten, OffloadDialect::Ao, OffloadDialect::Xla};

// `sin` reads the input before copy_ writes to it.
constexpr std::string_view kOverwritten = R"graph(
  primals_1 = placeholder : f32[4]@0
  tangents_1 = placeholder : f32[4]@1
  sin = aten.sin.default(primals_1) : f32[4]@2
  cos = aten.cos.default(sin) : f32[4]@3
  written = aten.copy_.default(primals_1, cos) : f32[4]@0 partitioner_tag=is_forward
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
  return cos | grad)graph";

TEST(FindUnsound, FindsReadersOfAnOverwrittenInput) {
  EXPECT_EQ(told(kOverwritten, only_inputs()), "'sin' reads 'primals_1' after 'written' has written to it\n");
}

TEST(FindUnsound, ThroughAView) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4, 4]@0
    tangents_1 = placeholder : f32[4, 4]@1
    t = aten.t.default(primals_1) : f32[4, 4]@0
    sin = aten.sin.default(primals_1) : f32[4, 4]@2
    written = aten.copy_.default(t, sin) : f32[4, 4]@0 partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]@4
    return written | grad)graph";
  EXPECT_EQ(told(kGraph, only_inputs()), "'sin' reads 'primals_1' after 'written' has written to it\n");
}

TEST(FindUnsound, FindsValuesRecomputedWithoutTheirWrites) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    clone = aten.clone.default(primals_1) : f32[4]@2
    add_ = aten.add_.Tensor(clone, primals_1) : f32[4]@2 partitioner_tag=is_forward
    sin = aten.sin.default(clone) : f32[4]@3
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
    return sin | grad)graph";
  EXPECT_EQ(told(kGraph, only_inputs()), "'sin' reads 'clone' without what 'add_' has written to it\n");
}

TEST(FindUnsound, ACopyOnTheHostThatLacksALaterWrite) {
  for (const OffloadDialect dialect : kEachDialect) {
    EXPECT_EQ(told(offloaded_alias("is_forward", "primals_1"), offloading(dialect)),
              "'grad' reads 'x' without what 'mul_' has written to it\n");
  }
}

// `sin` is recomputed from what `copy_` has overwritten with itself, and `mul` from a memory that is written to as a whole.
TEST(FindUnsound, WritesThatChangeNothingAreNoMatter) {
  EXPECT_EQ(told(R"graph(
    primals_1 = placeholder : f32[4]{1}@0
    primals_2 = placeholder : f32[4]{1}@1
    tangents_1 = placeholder : f32[4]{1}@2
    alias = aten.alias.default(primals_1) : f32[4]{1}@0
    sin = aten.sin.default(primals_1) : f32[4]{1}@3
    copy_ = aten.copy_.default(primals_1, alias) : f32[4]{1}@0 partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]{1}@5
    return sin | grad)graph",
                 only_inputs()),
            "");
}

// `back` writes what is there already, but not where it runs in the backward, after `add_`.
TEST(FindUnsound, AWriteOfTheSameDiffersInAnotherOrder) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]{{1}}@0
    tangents_1 = placeholder : f32[4]{{1}}@1
    clone = aten.clone.default(primals_1) : f32[4]{{1}}@2
    back = aten.copy_.default(primals_1, clone) : f32[4]{{1}}@0 partitioner_tag=is_backward
    add_ = aten.add_.Tensor({0}) : f32[4]{{1}}@{1} partitioner_tag={2}
    grad = aten.mul.Tensor(tangents_1, clone) : f32[4]{{1}}@3
    return add_ | grad)graph";
  EXPECT_EQ(told(fmt::format(kGraph, "primals_1, clone", 0, "is_forward"), Settings()),
            "'back' reads 'primals_1' after 'add_' has written to it\n");
  EXPECT_NE(told(fmt::format(kGraph, "clone, primals_1", 2, "is_forward"), Settings()), "");
}

// The source of `write` is in the memory that it copies to, wherever it runs.
TEST(FindUnsound, AWriteToItselfIsTheSameInAnotherOrder) {
  EXPECT_EQ(told(R"graph(
    primals_1 = placeholder : f32[4]{1}@0
    tangents_1 = placeholder : f32[4]{1}@1
    add_ = aten.add_.Tensor(primals_1, primals_1) : f32[4]{1}@0 partitioner_tag=is_forward
    mul_ = aten.mul_.Tensor(primals_1, tangents_1) : f32[4]{1}@0 partitioner_tag=is_backward
    grad = aten.mul.Tensor(tangents_1, mul_) : f32[4]{1}@2
    write = aten.copy_.default(primals_1, add_) : f32[4]{1}@0 partitioner_tag=must_be_in_forward
    return add_ | grad)graph",
                 Settings()),
            "");
}

// The backward reads an input that has come back by way of another.
TEST(FindUnsound, AllowsCopiesThereAndBack) {
  EXPECT_EQ(told(R"graph(
    primals_1 = placeholder : f32[4]{1}@0
    primals_2 = placeholder : f32[4]{1}@1
    tangents_1 = placeholder : f32[4]{1}@2
    sin = aten.sin.default(primals_1) : f32[4]{1}@3
    there = aten.copy_.default(primals_2, primals_1) : f32[4]{1}@1 partitioner_tag=is_forward
    back = aten.copy_.default(primals_1, primals_2) : f32[4]{1}@0 partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]{1}@5
    return sin | grad)graph",
                 only_inputs()),
            "");
}

// `copy_` leaves nothing of what `add_` writes, which the backward lacks.
TEST(FindUnsound, AllowsWholeOverwrites) {
  const auto overwritten_by = [](std::string_view write) {
    return told(fmt::format(R"graph(
      primals_1 = placeholder : f32[4]{{1}}@0
      tangents_1 = placeholder : f32[4]{{1}}@1
      clone = aten.clone.default(primals_1) : f32[4]{{1}}@2 partitioner_tag=is_forward
      sin = aten.sin.default(primals_1) : f32[4]{{1}}@3 partitioner_tag=is_forward
      add_ = aten.add_.Tensor(clone, sin) : f32[4]{{1}}@2 partitioner_tag=is_forward
      write = aten.{}(clone, tangents_1) : f32[4]{{1}}@2 partitioner_tag=is_backward
      grad = aten.mul.Tensor(tangents_1, write) : f32[4]{{1}}@4
      return sin | grad)graph", write), only_inputs());
  };
  EXPECT_EQ(overwritten_by("copy_.default"), "");
  EXPECT_EQ(overwritten_by("mul_.Tensor"),
            "'write' reads 'clone' without what 'add_' has written to it\n"
            "'grad' reads 'write' without what 'write' has written to it\n");
}

// The operand of `cos` was written to before the backward recomputes it, but `cos` is overwritten before it is read.
TEST(FindUnsound, AllowsOverwritesBeforeTheFirstRead) {
  const auto recomputed_for = [](std::string_view use) {
    return told(fmt::format(R"graph(
      primals_1 = placeholder : f32[4]{{1}}@0
      tangents_1 = placeholder : f32[4]{{1}}@1
      cos = aten.cos.default(primals_1) : f32[4]{{1}}@2
      add_ = aten.add_.Tensor(primals_1, primals_1) : f32[4]{{1}}@0 partitioner_tag=is_forward
      write = aten.{} : f32[4]{{1}}@2 partitioner_tag=is_backward
      grad = aten.mul.Tensor(tangents_1, write) : f32[4]{{1}}@4
      return primals_1 | grad)graph", use), only_inputs());
  };
  EXPECT_EQ(recomputed_for("copy_.default(cos, tangents_1)"), "");
  EXPECT_EQ(recomputed_for("mul_.Tensor(cos, tangents_1)"), "'cos' reads 'primals_1' after 'add_' has written to it\n");
}

// The backward makes `clone` again, of an input that holds what it held: `write` has brought back what `other` has overwritten.
TEST(FindUnsound, RestoredValuesAreTheSame) {
  const auto brought_back_by = [](std::string_view write, std::string_view then = "") {
    return told(fmt::format(R"graph(
      primals_1 = placeholder : f32[4]{{1}}@0
      tangents_1 = placeholder : f32[4]{{1}}@1
      clone = aten.clone.default(primals_1) : f32[4]{{1}}@2
      cos = aten.cos.default(clone) : f32[4]{{1}}@3
      other = aten.copy_.default(primals_1, cos) : f32[4]{{1}}@0 partitioner_tag=is_forward
      write = aten.copy_.default(primals_1, {}) : f32[4]{{1}}@0 partitioner_tag=is_forward
      {}
      grad = aten.mul.Tensor(tangents_1, clone) : f32[4]{{1}}@4
      return cos | grad)graph", write, then), only_inputs());
  };
  EXPECT_EQ(brought_back_by("clone"), "");
  EXPECT_EQ(brought_back_by("clone", "add_ = aten.add_.Tensor(primals_1, cos) : f32[4]{1}@0 partitioner_tag=is_forward"),
            "'clone' reads 'primals_1' after 'add_' has written to it\n");
}

// Nor does anybody see which random numbers it finds.
TEST(FindUnsound, AllowsDrawsOverwrittenBeforeTheFirstRead) {
  const auto drawn_for = [](std::string_view use) {
    return told(fmt::format(R"graph(
      primals_1 = placeholder : f32[4]{{1}}@0
      tangents_1 = placeholder : f32[4]{{1}}@1
      draw = aten.bernoulli.p(primals_1, 0.5) : f32[4]{{1}}@2
      add_ = aten.add_.Tensor(primals_1, primals_1) : f32[4]{{1}}@0 partitioner_tag=is_forward
      write = aten.{} : f32[4]{{1}}@2 partitioner_tag=is_backward
      grad = aten.mul.Tensor(tangents_1, write) : f32[4]{{1}}@4
      return primals_1 | grad)graph", use), only_inputs());
  };
  EXPECT_EQ(drawn_for("copy_.default(draw, tangents_1)"), "");
  EXPECT_EQ(drawn_for("mul_.Tensor(draw, tangents_1)"), "'draw' reads 'primals_1' after 'add_' has written to it\n");
}

// The forward reads what it has drawn. The backward draws again, and only to write over it.
TEST(FindUnsound, AllowsBackwardDrawsOverwrittenBeforeTheFirstRead) {
  const auto drawn_for = [](std::string_view use) {
    return told(fmt::format(R"graph(
      primals_1 = placeholder : f32[4]{{1}}@0
      tangents_1 = placeholder : f32[4]{{1}}@1
      draw = aten.bernoulli.p(primals_1, 0.5) : f32[4]{{1}}@2
      sin = aten.sin.default(draw) : f32[4]{{1}}@3
      add_ = aten.add_.Tensor(primals_1, primals_1) : f32[4]{{1}}@0 partitioner_tag=is_forward
      write = aten.{} : f32[4]{{1}}@2 partitioner_tag=is_backward
      grad = aten.mul.Tensor(tangents_1, write) : f32[4]{{1}}@4
      return sin | grad)graph", use), only_inputs());
  };
  EXPECT_EQ(drawn_for("copy_.default(draw, tangents_1)"), "");
  EXPECT_EQ(drawn_for("mul_.Tensor(draw, tangents_1)"),
            "'draw' reads 'primals_1' after 'add_' has written to it\n'draw' draws new random numbers in the backward\n");
}

// Nor does anybody read what `cos` is made from.
TEST(FindUnsound, AllowsMakersOfValuesOverwrittenBeforeTheFirstRead) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]{{1}}@0
    tangents_1 = placeholder : f32[4]{{1}}@1
    sin = aten.sin.default(primals_1) : f32[4]{{1}}@5
    cos = aten.cos.default(sin) : f32[4]{{1}}@2
    add_ = aten.add_.Tensor(primals_1, primals_1) : f32[4]{{1}}@0 partitioner_tag=is_forward
    write = aten.copy_.default(cos, tangents_1) : f32[4]{{1}}@2 partitioner_tag=is_backward
    grad = aten.mul.Tensor({}, write) : f32[4]{{1}}@4
    return primals_1 | grad)graph";
  EXPECT_EQ(told(fmt::format(kGraph, "tangents_1"), only_inputs()), "");
  EXPECT_EQ(told(fmt::format(kGraph, "sin"), only_inputs()), "'sin' reads 'primals_1' after 'add_' has written to it\n");
}

// The forward makes `cos`, before a write of the backward to what it reads.
TEST(FindUnsound, FindsValuesMadeTooEarlyThoughOverwritten) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]{{1}}@0
    tangents_1 = placeholder : f32[4]{{1}}@1
    mul_ = aten.mul_.Tensor(primals_1, primals_1) : f32[4]{{1}}@0 partitioner_tag=is_forward
    add_ = aten.add_.Tensor(mul_, tangents_1) : f32[4]{{1}}@0 partitioner_tag=is_backward
    cos = aten.cos.default(primals_1) : f32[4]{{1}}@2
    {}
    write = aten.copy_.default(cos, tangents_1) : f32[4]{{1}}@2 partitioner_tag=is_backward
    grad = aten.mul.Tensor(tangents_1, write) : f32[4]{{1}}@4
    return mul_ | grad{})graph";
  EXPECT_EQ(told(fmt::format(kGraph, "", ""), Settings()), "");
  EXPECT_EQ(told(fmt::format(kGraph, "sin = aten.sin.default(cos) : f32[4]@5", ", sin"), Settings()),
            "'cos' reads 'primals_1' without what 'add_' has written to it\n");
}

// The backward writes to what has come back from the host, and so not to the input.
TEST(FindUnsound, AWriteToACopyOfAnInputIsMissed) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    x = aten.add_.Tensor(primals_1, primals_1) : f32[4]@0 partitioner_tag=is_forward should_offload=true recompute=MUST_SAVE
    sin = aten.sin.default(x) : f32[4]@2 partitioner_tag=is_forward
    mul_ = aten.mul_.Tensor(x, tangents_1) : f32[4]@0 partitioner_tag=is_backward
    grad = aten.mul.Tensor(tangents_1, mul_) : f32[4]@3
    return sin | grad)graph";
  EXPECT_EQ(told(kGraph, offloading()), "'primals_1' is left without what 'mul_' has written to it\n");
  const Report report = report_of(kGraph, offloading(OffloadDialect::Aten, Soundness::Always));
  EXPECT_EQ(told(report), "");
  ASSERT_EQ(report.repairs.size(), 1u);
  EXPECT_EQ(report.repairs.front().kind, RepairKind::OnDevice);
}

TEST(FindUnsound, AllowsAWriteBeforeTheFirstRead) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    written = aten.copy_.default(primals_1, primals_1) : f32[4]@0 partitioner_tag=is_forward
    sin = aten.sin.default(primals_1) : f32[4]@2
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
    return sin | grad)graph";
  EXPECT_EQ(told(kGraph, only_inputs()), "");
}

// `clone` is recomputed without the write, but only the backward's own write sees its memory.
constexpr std::string_view kUnnoticed = R"graph(
  primals_1 = placeholder : f32[4]@0
  tangents_1 = placeholder : f32[4]@1
  clone = aten.clone.default(primals_1) : f32[4]@2 partitioner_tag=is_forward
  sin = aten.sin.default(primals_1) : f32[4]@3 partitioner_tag=is_forward
  add_ = aten.add_.Tensor(clone, sin) : f32[4]@2 partitioner_tag=is_forward
  mul_ = aten.mul_.Tensor(clone, tangents_1) : f32[4]@2 partitioner_tag=is_backward
  grad = aten.mul.Tensor(tangents_1, {}) : f32[4]@4
  return sin | grad)graph";

TEST(FindUnsound, AllowsUnnoticeableChanges) {
  EXPECT_EQ(told(fmt::format(kUnnoticed, "sin"), only_inputs()), "");
  EXPECT_EQ(told(fmt::format(kUnnoticed, "mul_"), only_inputs()), "'mul_' reads 'clone' without what 'add_' has written to it\n"
                                                               "'grad' reads 'mul_' without what 'mul_' has written to it\n");
}

// Batch norm as functionalisation leaves it.
std::string batch_norm(std::string_view training, std::string_view extra_gradient) {
  return fmt::format(R"graph(
    primals_1 = placeholder : f32[4, 8]@0
    primals_2 = placeholder : f32[8]@1
    primals_3 = placeholder : f32[8]@2
    tangents_1 = placeholder : f32[4, 8]@3
    norm = aten._native_batch_norm_legit_functional.default(primals_1, None, None, primals_2, primals_3, {0}, 0.1, 1e-05) : tuple(f32[4, 8]@4, f32[8]@5, f32[8]@6, f32[8]@7, f32[8]@8)
    y = operator.getitem(norm, 0) : f32[4, 8]@4
    m = operator.getitem(norm, 1) : f32[8]@5
    s = operator.getitem(norm, 2) : f32[8]@6
    new_mean = operator.getitem(norm, 3) : f32[8]@7
    new_var = operator.getitem(norm, 4) : f32[8]@8
    sin = aten.sin.default(y) : f32[4, 8]@9
    copy_mean = aten.copy_.default(primals_2, new_mean) : f32[8]@1 partitioner_tag=is_forward
    copy_var = aten.copy_.default(primals_3, new_var) : f32[8]@2 partitioner_tag=is_forward
    g = aten.mul.Tensor(tangents_1, y) : f32[4, 8]@10
    grads = aten.native_batch_norm_backward.default(g, primals_1, None, new_mean, new_var, m, s, {0}, 1e-05, [True, False, False]) : tuple(f32[4, 8]@11, none, none)
    grad = operator.getitem(grads, 0) : f32[4, 8]@11
    {1}
    return sin | gx, None, None)graph",
                     training, extra_gradient);
}
constexpr std::string_view kNoMore = "gx = aten.neg.default(grad) : f32[4, 8]@12";

TEST(FindUnsound, RunningStatisticsAreNoMatterInTraining) {
  EXPECT_EQ(told(batch_norm("True", kNoMore), only_inputs()), "");
}

TEST(FindUnsound, RunningStatisticsAreReadWithoutTraining) {
  EXPECT_EQ(told(batch_norm("False", kNoMore), only_inputs()), "'norm' reads 'primals_2' after 'copy_mean' has written to it\n");
}

TEST(FindUnsound, NewRunningStatisticsThatAGradientReadsAreMadeFromTheOld) {
  EXPECT_EQ(told(batch_norm("True", "gx = aten.mul.Tensor(grad, new_mean) : f32[4, 8]@12"), only_inputs()),
            "'norm' reads 'primals_2' after 'copy_mean' has written to it\n");
}

TEST(FindUnsound, OnlyWhatTheSchemaMarksIsWrittenTo) {
  constexpr std::string_view kGraph = R"graph(
    "ops": {"my.into.default": {"mutable": true, "returns": 0, "schema": "my::into(Tensor a, Tensor(b!) b) -> ()"}}
    primals_1 = placeholder : f32[4]@0
    primals_2 = placeholder : f32[4]@5
    tangents_1 = placeholder : f32[4]@1
    sin = aten.sin.default(primals_1) : f32[4]@2
    cos = aten.cos.default(primals_2) : f32[4]@3
    into = my.into.default(primals_1, primals_2) : none partitioner_tag=is_forward
    grad = aten.mul.Tensor(sin, cos) : f32[4]@4
    more = aten.mul.Tensor(tangents_1, grad) : f32[4]@6
    return grad | more, None)graph";
  EXPECT_EQ(told(kGraph, only_inputs()), "'cos' reads 'primals_2' after 'into' has written to it\n");
}

constexpr std::string_view kRandom = R"graph(
  primals_1 = placeholder : f32[4]@0
  tangents_1 = placeholder : f32[4]@1
  drawn = aten.bernoulli.default(primals_1) : f32[4]@2
  sin = aten.sin.default(drawn) : f32[4]@3
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
  return sin | grad)graph";

TEST(FindUnsound, FindsRepeatedDraws) {
  EXPECT_EQ(told(kRandom, only_inputs()), "'drawn' draws new random numbers in the backward\n");
  EXPECT_EQ(told(kRandom, {}), "");
}

TEST(FindUnsound, ADrawUnderASavedStateIsTheSame) {
  std::string tagged(kRandom);
  tagged.replace(tagged.find("f32[4]@2"), 8, "f32[4]@2 recompute=MUST_RECOMPUTE ac_graph_id=1");
  const Report report = report_of(tagged, only_inputs());
  EXPECT_EQ(report.saved_random_states.size(), 1u);
  EXPECT_EQ(told(report), "");
}

// `drawn` reads its operand before add_ writes to it, and is tagged to be recomputed.
std::string random_of_overwritten(std::string_view device) {
  return fmt::format(R"graph(
    primals_1 = placeholder : f32[4]@0 {0}
    tangents_1 = placeholder : f32[4]@1 {0}
    x = aten.mm.default(primals_1, primals_1) : f32[4]@2 {0}
    drawn = aten.bernoulli.default(x) : f32[4]@3 {0} recompute=MUST_RECOMPUTE ac_graph_id=1
    sin = aten.sin.default(drawn) : f32[4]@4 {0}
    add_ = aten.add_.Tensor(x, 1.0) : f32[4]@2 {0} partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, drawn) : f32[4]@5 {0}
    return sin | grad)graph", device);
}

TEST(FindUnsound, ADrawUnderASavedStateReadsItsOperandAfterAWrite) {
  for (const std::string_view device : {"", "on cuda:0"}) {
    EXPECT_EQ(told(random_of_overwritten(device), {}), "'drawn' reads 'x' after 'add_' has written to it\n") << device;
  }
}

constexpr std::string_view kEffect = R"graph(
  primals_1 = placeholder : f32[0]@0
  primals_2 = placeholder : f32[4]@1
  tangents_1 = placeholder : f32[4]@2
  sin = aten.sin.default(primals_2) : f32[4]@3
  with_effects = higher_order.with_effects(primals_1, op(my.log.default), sin) : tuple(f32[0]@4, f32[4]@5)
  token = operator.getitem(with_effects, 0) : f32[0]@4
  logged = operator.getitem(with_effects, 1) : f32[4]@5
  exp = aten.exp.default(logged) : f32[4]@6
  grad = aten.mul.Tensor(tangents_1, logged) : f32[4]@7
  return token, exp | None, grad)graph";

TEST(FindUnsound, AnEffectThatIsRecomputed) {
  EXPECT_EQ(told(kEffect, only_inputs()), "'with_effects' repeats its effect in the backward\n");
  EXPECT_EQ(told(kEffect, {}), "");
}

// `one` and `two` are one memory after the merging: a write to one of them is noticed where anybody reads either of them later.
TEST(FindUnsound, EqualCallsThatWereMadeOneAreNoMatterBeforeTheWrite) {
  const auto with_factor = [](std::string_view factor) {
    return told(made_by(Release{13}) + fmt::format(R"graph(
      primals_1 = placeholder : f32[4, 4]@0
      tangents_1 = placeholder : f32[4, 4]@1
      one = aten.mm.default(primals_1, primals_1) : f32[4, 4]@2
      two = aten.mm.default(primals_1, primals_1) : f32[4, 4]@3
      sum = aten.add.Tensor(one, two) : f32[4, 4]@4
      t = aten.t.default(one) : f32[4, 4]@2
      write = aten.mul_.Tensor(t, tangents_1) : f32[4, 4]@2 partitioner_tag=is_backward
      grad = aten.mul.Tensor(tangents_1, {}) : f32[4, 4]@5
      return sum | grad)graph", factor), {});
  };
  constexpr std::string_view kMerged = "'one' was merged with equal calls whose results differ\n";
  EXPECT_EQ(with_factor("sum"), "");
  EXPECT_EQ(with_factor("two"), kMerged);
  EXPECT_EQ(with_factor("write"), kMerged);
}

TEST(FindUnsound, EqualDrawsThatWereMadeOne) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    one = aten.randn_like.default(primals_1) : f32[4]@2
    two = aten.randn_like.default(primals_1) : f32[4]@3
    sum = aten.add.Tensor(one, two) : f32[4]@4
    grad = aten.mul.Tensor(tangents_1, sum) : f32[4]@5
    return sum | grad)graph";
  const std::string graph = made_by(Release{13}) + std::string(kGraph);
  EXPECT_EQ(told(graph, {}), "'one' was merged with equal calls whose results differ\n");
  Settings apart;
  apart.cse = false;
  EXPECT_EQ(told(graph, apart), "");
}

// Python's == holds for them, and 2.13 merges by it.
TEST(FindUnsound, ZeroAndMinusZeroThatWereMadeOne) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    one = aten.full_like.default(primals_1, 0.0) : f32[4]@2
    two = aten.full_like.default(primals_1, -0.0) : f32[4]@3
    sum = aten.atan2.default(one, two) : f32[4]@4
    grad = aten.mul.Tensor(tangents_1, sum) : f32[4]@5
    return sum | grad)graph";
  EXPECT_EQ(told(made_by(Release{13}) + std::string(kGraph), {}),
            "'one' was merged with equal calls whose results differ\n");
  EXPECT_EQ(told(made_by(Release{15}) + std::string(kGraph), {}), "") << "which merges by bits";
}

TEST(FindUnsound, TheReportWarnsOfItOnce) {
  const std::vector<std::string> warnings = report_of(kOverwritten, only_inputs()).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings.front(),
            "the partition does not compute the same values as the joint graph: 'sin' reads 'primals_1' after 'written' has "
            "written to it\n  --sound repairs it as far as saving more values can");
}

// --- Mended.

std::string names_saved(const Report& report) {
  std::string names;
  for (const SavedValue& row : report.saved_values) names += row.name + " ";
  return names;
}

TEST(MakeSound, SavesWhatTheBackwardMustNotComputeAgain) {
  Settings settings = only_inputs();
  settings.sound = Soundness::Always;
  const Report report = report_of(kOverwritten, settings);
  EXPECT_EQ(told(report), "");
  EXPECT_EQ(names_saved(report), "sin ");
  ASSERT_EQ(report.repairs.size(), 1u);
  EXPECT_EQ(report.repairs.front().name, "sin");
  EXPECT_EQ(report.saved_values.front().why.reason, "sound");
  EXPECT_EQ(report.warnings,
            std::vector<std::string>(
                {"saved in addition, so that it computes the same values as the joint graph: 'sin' (16 B)"}));
}

TEST(MakeSound, SavesADrawWhoseOperandIsOverwritten) {
  Settings settings;
  settings.sound = Soundness::Always;
  const Report report = report_of(random_of_overwritten(""), settings);
  EXPECT_EQ(told(report), "");
  EXPECT_EQ(names_saved(report), "drawn ");
}

TEST(MakeSound, LeavesAViewOfAParameterThatNobodyWrites) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4, 4]@0
    primals_2 = placeholder : f32[4, 4]@1
    tangents_1 = placeholder : f32[4, 4]@2
    add = aten.add.Tensor(primals_2, 1) : f32[4, 4]@3
    mm = aten.mm.default(add, primals_1) : f32[4, 4]@4
    mul = aten.mul.Tensor(tangents_1, add) : f32[4, 4]@5
    t = aten.t.default(primals_1) : f32[4, 4]@0
    mm_1 = aten.mm.default(mul, t) : f32[4, 4]@6
    copy_ = aten.copy_.default(primals_2, add) : f32[4, 4]@1 partitioner_tag=is_forward
    return mm | mm_1, None)graph";
  Settings settings = only_inputs();
  settings.sound = Soundness::Always;
  const Report report = report_of(kGraph, settings);
  ASSERT_EQ(report.repairs.size(), 1u);
  EXPECT_EQ(report.repairs.front().name, "add");
  EXPECT_EQ(told(report), "");
}

// `grad` needs no gradient, so that the forward could compute it, but not before `mul_`.
TEST(MakeSound, LeavesToTheBackwardWhatReadsAWriteOfTheBackward) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    sin = aten.sin.default(primals_1) : f32[4]@2 partitioner_tag=is_forward
    cos = aten.cos.default(sin) : f32[4]@3 partitioner_tag=is_forward
    mul_ = aten.mul_.Tensor(primals_1, tangents_1) : f32[4]@0 partitioner_tag=is_backward
    add = aten.add.Tensor(cos, primals_1) : f32[4]@4 partitioner_tag=is_backward
    grad = aten.neg.default(add) : f32[4]@5 partitioner_tag=is_backward
    return sin | grad)graph";
  Settings settings;
  EXPECT_EQ(told(kGraph, settings), "'add' reads 'primals_1' without what 'mul_' has written to it\n");
  settings.sound = Soundness::Always;
  const Report report = report_of(kGraph, settings);
  EXPECT_EQ(told(report), "");
  EXPECT_EQ(names_saved(report), "primals_1 cos ");
}

// `add_` is of the backward and needs no gradient: PyTorch's reordering loses it.
constexpr std::string_view kLostWrite = R"graph(
  primals_1 = placeholder : f32[4]@0
  primals_2 = placeholder : f32[4]@1
  tangents_1 = placeholder : f32[4]@2
  sin = aten.sin.default(primals_1) : f32[4]@3 partitioner_tag=is_forward
  exp = aten.exp.default(sin) : f32[4]@4 partitioner_tag=is_forward
  add_ = aten.add_.Tensor(primals_2, exp) : f32[4]@1 partitioner_tag=is_backward
  grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@5
  return sin | grad)graph";

TEST(MakeSound, KeepsWritesOfTheBackward) {
  for (const double budget : {0.0, 1.0}) {
    Settings settings;
    settings.activation_memory_budget = budget;
    EXPECT_EQ(told(kLostWrite, settings), "neither side runs 'add_'\n");
    settings.sound = Soundness::Always;
    const Partition made = partition(joint_graph(kLostWrite), settings);
    EXPECT_EQ(told(made.report), "");
    EXPECT_TRUE(std::ranges::any_of(made.graphs.backward.nodes, [](const Node& node) { return node.name == "add_"; }));
    EXPECT_TRUE(
        std::ranges::any_of(made.report.repairs, [](const RepairedValue& row) { return row.kind == RepairKind::Effect; }));
  }
}

// Whatever is saved of `primals_1`, `copy_` has written to it before the backward starts.
constexpr std::string_view kContradiction = R"graph(
  primals_1 = placeholder : f32[4]@0
  tangents_1 = placeholder : f32[4]@1
  sin = aten.sin.default(primals_1) : f32[4]@2
  grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]@3
  copy_ = aten.copy_.default(primals_1, sin) : f32[4]@0 partitioner_tag=must_be_in_forward
  return sin | grad)graph";

TEST(MakeSound, RefusesWhatNothingRepairs) {
  Settings settings;
  EXPECT_EQ(told(kContradiction, settings), "'grad' reads 'primals_1' after 'copy_' has written to it\n");
  settings.sound = Soundness::Always;
  try {
    report_of(kContradiction, settings);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'grad' reads 'primals_1' after 'copy_' has written to it"), std::string::npos);
  }
}

TEST(MakeSound, CopiesToTheHostAfterTheLastWrite) {
  for (const OffloadDialect dialect : kEachDialect) {
    const Report report = report_of(offloaded_alias("is_forward", "primals_1"), offloading(dialect, Soundness::Always));
    EXPECT_EQ(told(report), "");
    ASSERT_EQ(report.repairs.size(), 1u);
    EXPECT_EQ(report.repairs.front().name, "x");
    EXPECT_EQ(report.repairs.front().kind, RepairKind::LateCopy);
  }
}

TEST(MakeSound, LeavesOnTheDeviceWhatTheBackwardWritesThroughAnother) {
  for (const OffloadDialect dialect : kEachDialect) {
    Settings settings = offloading(dialect, Soundness::Always);
    settings.partitioner = Partitioner::Default;  // the cut would not save `x`, which the backward cannot compute
    const Report report = report_of(offloaded_alias("is_backward", "tangents_1"), settings);
    EXPECT_EQ(told(report), "");
    ASSERT_EQ(report.repairs.size(), 1u);
    EXPECT_EQ(report.repairs.front().kind, RepairKind::OnDevice);
    EXPECT_EQ(report.warnings, std::vector<std::string>(
                                   {"not copied to the host where PyTorch copies it, so that it computes the same values as the "
                                    "joint graph: 'x', which stays on its device"}));
  }
}

TEST(MakeSound, SavesWhatAnEffectReturns) {
  Settings settings = only_inputs();
  settings.sound = Soundness::Always;
  const Report report = report_of(kEffect, settings);
  EXPECT_EQ(told(report), "");
  EXPECT_EQ(names_saved(report), "logged ");
}

// The default partitioner saves `size` in place of `exp`, since the backward reads nothing else of it, and so before `twice`.
TEST(MakeSound, KeepsTheOrderOfSavedValues) {
  constexpr std::string_view kGraph = R"graph(
    "symbols": {"s0": {"hint": 8}}
    primals_1 = placeholder : f32[s0=8, 4]@0
    primals_2 = placeholder : symint(s0=8)
    tangents_1 = placeholder : f32[4]@1
    drawn = aten.bernoulli.default(primals_1) : f32[s0=8, 4]@2 partitioner_tag=is_forward
    exp = aten.exp.default(drawn) : f32[s0=8, 4]@3 partitioner_tag=is_forward
    cos = aten.cos.default(exp) : f32[s0=8, 4]@4 partitioner_tag=is_forward
    twice = operator.mul(primals_2, 2) : symint(2*s0=16) partitioner_tag=is_forward
    size = aten.sym_size.int(exp, 0) : symint(s0=8)
    expand = aten.expand.default(tangents_1, [size, 4]) : f32[s0=8, 4]@1
    view = aten.view.default(expand, [twice, 2]) : f32[2*s0=16, 2]@1
    grad = aten.mul.Tensor(view, cos) : f32[2*s0=16, 2]@5
    return cos | grad, None)graph";
  Settings settings;
  settings.partitioner = Partitioner::Default;
  const auto saved_by = [&](Soundness sound) {
    settings.sound = sound;
    const Partition made = partition(joint_graph(kGraph), settings);
    std::vector<std::string> names;
    for (const OutputLeaf& leaf : output_leaves(made.graphs.forward)) names.push_back(made.graphs.forward[*leaf.node].name);
    return names;
  };
  EXPECT_EQ(saved_by(Soundness::Never), std::vector<std::string>({"cos", "cos", "primals_2", "size", "twice"}));
  EXPECT_EQ(saved_by(Soundness::Always), saved_by(Soundness::Never));
}

TEST(MakeSound, TakesWhatLivesAnyway) {
  Settings settings = only_inputs();
  settings.sound = Soundness::Always;
  EXPECT_EQ(names_saved(report_of(kRandom, settings)), "sin ") << "which the caller of the forward gets";
}

TEST(MakeSound, SavesTheStateOfAGeneratorWhereThatIsLess) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4096]@0
    tangents_1 = placeholder : f32[4096]@1
    drawn = aten.bernoulli.default(primals_1) : f32[4096]@2
    sin = aten.sin.default(drawn) : f32[4096]@3
    cos = aten.cos.default(sin) : f32[4096]@5
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4096]@4
    return cos | grad)graph";
  Settings settings = only_inputs();
  settings.sound = Soundness::Always;
  const Report report = report_of(kGraph, settings);
  EXPECT_EQ(told(report), "");
  EXPECT_EQ(names_saved(report), "primals_1 ");
  EXPECT_EQ(report.saved_random_states.size(), 1u);
  ASSERT_EQ(report.repairs.size(), 1u);
  EXPECT_EQ(report.repairs.front().kind, RepairKind::RandomState);
}

TEST(MakeSound, TheFrontierSolverNeverDecidesWhatIsToBeMended) {
  for (const std::string_view graph : {kOverwritten, kRandom}) {
    for (const bool is_least : {false, true}) {
      Settings settings = only_inputs();
      settings.activation_memory_budget_solver = frontier_solver();
      if (is_least) {
        settings.activation_memory_budget = 1;
        settings.saved_bytes_limit = parse_memory_limit("least");
      }
      const Report report = report_of(graph, settings);
      EXPECT_EQ(told(report), "");
      EXPECT_TRUE(report.repairs.empty());
    }
  }
}

// Or the limit would not be kept, and the bound would be of another decision.
TEST(MakeSound, TheFrontierSolverSavesWhatATagWouldRecomputeWrongly) {
  for (const std::string_view tag : {"PREFER_RECOMPUTE", "MUST_RECOMPUTE"}) {
    const std::string_view line = "sin = aten.sin.default(primals_1) : f32[4]@2";
    std::string tagged(kOverwritten);
    tagged.insert(tagged.find(line) + line.size(), " recompute=" + std::string(tag));
    Settings settings;
    settings.activation_memory_budget_solver = frontier_solver();
    settings.saved_bytes_limit = parse_memory_limit("least");
    const Report report = report_of(tagged, settings);
    EXPECT_TRUE(report.repairs.empty());
    EXPECT_EQ(names_saved(report), "sin ");
    EXPECT_EQ(report.frontier->saved_bytes, 16);
    settings.saved_bytes_limit = parse_memory_limit("15B");
    EXPECT_THROW(report_of(tagged, settings), Failure);
  }
}

// A tuple is saved by its items, which have the region's tag.
TEST(MakeSound, TheFrontierSolverSavesItemsOfWhatATagWouldRecomputeWrongly) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    topk = aten.topk.default(primals_1, 4) : tuple(f32[4]@2, i64[4]@3) recompute=PREFER_RECOMPUTE
    getitem = operator.getitem(topk, 0) : f32[4]@2 recompute=PREFER_RECOMPUTE
    cos = aten.cos.default(getitem) : f32[4]@4
    written = aten.copy_.default(primals_1, cos) : f32[4]@0 partitioner_tag=is_forward
    grad = aten.mul.Tensor(tangents_1, getitem) : f32[4]@5
    return cos | grad)graph";
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = parse_memory_limit("least");
  EXPECT_EQ(names_saved(report_of(kGraph, settings)), "getitem ");
}

TEST(MakeSound, InductorsSeedsAreNeverDrawnAgain) {
  constexpr std::string_view kGraph = R"graph(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    seeds = prims.inductor_seeds.default(2, device(cpu)) : i64[2]@5
    seed = prims.inductor_lookup_seed.default(seeds, 0) : i64[]@6
    drawn = prims.inductor_random.default([4], seed, "rand") : f32[4]@2
    sin = aten.sin.default(drawn) : f32[4]@3
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
    return primals_1 | grad)graph";
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = parse_memory_limit("least");
  const Report report = report_of(kGraph, settings);
  EXPECT_EQ(told(report), "");
  for (const RecomputedValue& row : report.recomputed_values) EXPECT_NE(row.name, "seeds");
}

}  // namespace
}  // namespace fxcut
