// The order of kernels, and the memory that they take.
#include "inductor/plan_buffers.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace fxcut {
namespace {

Buffer buffer(std::int64_t bytes, bool is_output = false) {
  Buffer made;
  made.bytes = bytes;
  made.elements = bytes / 4;
  made.dtype = find_dtype("float32");
  made.is_output = is_output;
  return made;
}

// A kernel over `bytes` of float32, or a library's call.
Kernel kernel(std::vector<BufferId> reads, BufferId writes, std::int64_t bytes) {
  Kernel made;
  for (const BufferId read : reads) made.reads.push_back({read, Extents{1}, 0});
  made.writes = {writes};
  if (bytes > 0) made.loops = Loops{{bytes / 4}, {bytes / 4}, {}, {0}, {1}};
  return made;
}

WrapperMemory run(Kernels program) {
  const InductorRules rules;
  const std::vector<FusedKernel> kernels = fuse(program, rules);
  const std::vector<bool> no_input(program.buffers.size(), false), all(program.buffers.size(), true);
  return plan_buffers(program, kernels, order_kernels(program, kernels, no_input), no_input, no_input, all, 0, rules);
}

TEST(PlanBuffers, AKernelWritesOverAnInputThatItIsTheLastToRead) {
  EXPECT_EQ(run({{buffer(400), buffer(400, true)}, {kernel({}, 0, 0), kernel({0}, 1, 400)}}).peak_bytes, 400);
}

TEST(PlanBuffers, ALibrarysCallDoesNot) {
  EXPECT_EQ(run({{buffer(400), buffer(400, true)}, {kernel({}, 0, 0), kernel({0}, 1, 0)}}).peak_bytes, 800);
}

// A fill, 0, that a library overwrites; from then on it is 1, which a kernel reads that makes 2.
Kernels overwritten() {
  Kernels program{{buffer(400), buffer(400), buffer(400, true)}, {kernel({}, 0, 400), kernel({}, 1, 0), kernel({1}, 2, 0)}};
  program.buffers[1].changed_from = 0;
  program.kernels[1].changes = {0};
  return program;
}

TEST(PlanBuffers, OverwrittenBuffersLiveUntilTheResultsLastRead) {
  EXPECT_EQ(run(overwritten()).peak_bytes, 800) << "one buffer for 0 and 1, and one for 2";
}

TEST(PlanBuffers, ReadersOfAnOverwriteRunAfterIt) {
  Kernels program = overwritten();
  const std::vector<FusedKernel> kernels = fuse(program, InductorRules{});
  const KernelOrder order = order_kernels(program, kernels, std::vector<bool>(program.buffers.size(), false));
  EXPECT_EQ(order.order, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(order.peak_bytes, 800);
}

// A kernel of two parts: the first makes 1 of an input, 0; the second, the last to read both, makes 3 of 1 and of a library's
// result, 2.
Kernels of_two_parts(std::vector<BufferId> read_by_second) {
  Kernels program{{buffer(400), buffer(400), buffer(400), buffer(400, true)},
                  {kernel({}, 2, 0), kernel({0}, 1, 400), kernel(std::move(read_by_second), 3, 400)}};
  program.buffers[0].is_input = true;
  return program;
}

TEST(PlanBuffers, KernelLocalBuffersHaveMemoryIfAnotherReusesIt) {
  EXPECT_EQ(run(of_two_parts({2, 1})).peak_bytes, 400) << "of the first that it reads, 2";
  EXPECT_EQ(run(of_two_parts({1, 2})).peak_bytes, 800) << "of 1, which else would have none";
}

TEST(PlanBuffers, APartThatReadsTheSameAndIsNoAncestorKeepsTheMemory) {
  // Both parts read 1, which a library made; 2 is not made of 3, and both are results.
  EXPECT_EQ(run({{buffer(400), buffer(400), buffer(400, true), buffer(400, true)},
                 {kernel({}, 1, 0), kernel({1}, 2, 400), kernel({1}, 3, 400)}})
                .peak_bytes,
            1200);
}

TEST(PlanBuffers, TheMemoryOfAnInputIsTakenOnlyIfItIsDonated) {
  Kernels program{{buffer(400), buffer(400, true)}, {kernel({0}, 1, 400)}};
  program.buffers[0].is_input = true;
  const InductorRules rules;
  const std::vector<FusedKernel> kernels = fuse(program, rules);
  const std::vector<bool> input{true, false}, none(2, false), all(2, true);
  const KernelOrder order = order_kernels(program, kernels, input);
  EXPECT_EQ(plan_buffers(program, kernels, order, input, input, all, 400, rules).peak_bytes, 400);
  EXPECT_EQ(plan_buffers(program, kernels, order, input, none, all, 400, rules).peak_bytes, 800);
}

TEST(PlanBuffers, OutputsAreHeldToTheEnd) {
  const WrapperMemory memory = run({{buffer(400, true), buffer(400, true)}, {kernel({}, 0, 0), kernel({0}, 1, 400)}});
  EXPECT_EQ(memory.peak_bytes, 800);
  EXPECT_EQ(memory.bytes_after, 800);
}

TEST(PlanBuffers, FreedMemoryIsReusedForTheSameSize) {
  // 0 -> 1 -> 2 -> 3 by a library: 2 takes the memory of 0.
  EXPECT_EQ(run({{buffer(400), buffer(400), buffer(400), buffer(400, true)},
                 {kernel({}, 0, 0), kernel({0}, 1, 0), kernel({1}, 2, 0), kernel({2}, 3, 0)}})
                .peak_bytes,
            800);
}

// A call returns 0, a tuple of 900 bytes; 1 and 2 are its items, of 400 and 500.
TEST(PlanBuffers, ADeviceThatAllocatesBlocksTakesOneForEachBuffer) {
  Kernels program{{buffer(900), buffer(400, true), buffer(500, true), buffer(4, true)},
                  {kernel({}, 0, 0), kernel({0}, 1, 0), kernel({0}, 2, 0), kernel({1}, 3, 0)}};
  program.buffers[1].item_of = program.buffers[2].item_of = 0;
  const std::vector<bool> none(4, false), all(4, true);
  const auto bytes_with = [&](bool in_blocks, std::int64_t start_bytes) {
    InductorRules rules;
    rules.allocates_blocks = in_blocks;
    const std::vector<FusedKernel> kernels = fuse(program, rules);
    return plan_buffers(program, kernels, order_kernels(program, kernels, none), none, none, all, start_bytes, rules).peak_bytes;
  };
  EXPECT_EQ(bytes_with(false, 10), 10 + 904);
  EXPECT_EQ(bytes_with(true, 512), 512 + 3 * 512);
}

TEST(PlanBuffers, InputsInOneStorageFreeItTogether) {
  Kernels program{{buffer(400), buffer(400), buffer(40), buffer(40, true)},
                  {kernel({0}, 2, 0), kernel({1, 2}, 3, 0)}};
  for (const BufferId input : {0U, 1U}) {
    program.buffers[input].is_input = true;
    program.buffers[input].storage = 7;
  }
  const InductorRules rules;
  const std::vector<FusedKernel> kernels = fuse(program, rules);
  const std::vector<bool> inputs{true, true, false, false}, all(4, true);
  const WrapperMemory memory =
      plan_buffers(program, kernels, order_kernels(program, kernels, inputs), inputs, inputs, all, 400, rules);
  EXPECT_EQ(memory.peak_bytes, 480) << "the first does not free it";
  EXPECT_EQ(memory.bytes_after, 40);
}

// A call returns 0, a tuple, of whose items 1 is read at once, and 2, a result, is taken last.
Kernels returning_tuple() {
  Kernels program{{buffer(800), buffer(400), buffer(400, true), buffer(40, true)},
                  {kernel({}, 0, 0), kernel({0}, 1, 0), kernel({1}, 3, 0), kernel({0}, 2, 0)}};
  program.buffers[1].item_of = program.buffers[2].item_of = 0;
  program.buffers[0].by_library = true;
  return program;
}

TEST(PlanBuffers, AnItemIsInMemoryAsLongAsTheTuple) {
  const WrapperMemory memory = run(returning_tuple());
  EXPECT_EQ(memory.peak_bytes, 840) << "the tuple has the memory of both";
  EXPECT_EQ(memory.bytes_after, 440);
}

TEST(PlanBuffers, AConcatenationIsFreedWithItsLastSlice) {
  // 1 and 2 are slices of 0, which 3 is made of; 4 is made of 1, and then 5.
  Kernels program{{buffer(800), buffer(400), buffer(400), buffer(40), buffer(40), buffer(400, true)},
                  {kernel({}, 1, 0), kernel({}, 2, 0), kernel({1, 2}, 0, 0), kernel({0}, 3, 0), kernel({1, 3}, 4, 0),
                   kernel({4}, 5, 0)}};
  program.buffers[1].within = program.buffers[2].within = 0;
  program.kernels[2].runs = false;
  EXPECT_EQ(run(std::move(program)).peak_bytes, 880);
}

TEST(OrderKernels, ATupleIsAllocatedAtOnceAndItsItemsAreFreedOneByOne) {
  Kernels program = returning_tuple();
  const std::vector<FusedKernel> kernels = fuse(program, {});
  const KernelOrder order = order_kernels(program, kernels, std::vector<bool>(4, false));
  EXPECT_EQ(order.peak_bytes, 840);
  EXPECT_EQ(order.bytes_at.back(), 440);
}

TEST(OrderKernels, AnInputThatIsAViewCountsWithItsElements) {
  Kernels program{{buffer(400), buffer(40, true)}, {kernel({0}, 1, 0)}};
  program.buffers[0].is_input = true;
  program.buffers[0].bytes = 4000;  // from the first of them to the last
  const std::vector<FusedKernel> kernels = fuse(program, {});
  EXPECT_EQ(order_kernels(program, kernels, {true, false}).peak_bytes, 440);
}

TEST(OrderKernels, TheSmallGradientIsComputedBeforeTheLargeOne) {
  // Both read 0; the graph has the large one, 1, first.
  Kernels program{{buffer(400), buffer(400), buffer(40, true), buffer(40, true)},
                  {kernel({}, 0, 0), kernel({0}, 1, 0), kernel({0}, 2, 0), kernel({1}, 3, 0)}};
  const std::vector<FusedKernel> kernels = fuse(program, {});
  const KernelOrder order = order_kernels(program, kernels, std::vector<bool>(4, false));
  EXPECT_EQ(order.peak_bytes, 840);
  EXPECT_EQ(order.order.size(), 4U);
}

// Library calls: 0, which 1 and 3 read, and 2 from 1.
BufferHistory history_of_calls() {
  Kernels program{{buffer(400), buffer(800), buffer(400, true), buffer(1200, true)},
                  {kernel({}, 0, 0), kernel({0}, 1, 0), kernel({1}, 2, 0), kernel({0, 2}, 3, 0)}};
  const std::vector<FusedKernel> kernels = fuse(program, InductorRules{});
  const std::vector<bool> no_input(program.buffers.size(), false), all(program.buffers.size(), true);
  return buffer_history(program, kernels, order_kernels(program, kernels, no_input), no_input, no_input, all, {});
}

TEST(BufferHistory, EachBufferLastsFromItsKernelToItsLastReader) {
  std::vector<std::vector<std::size_t>> spans;
  for (const BufferSpan& span : history_of_calls().spans) {
    spans.push_back({span.buffer, static_cast<std::size_t>(span.bytes), span.first, span.last});
  }
  EXPECT_EQ(spans, (std::vector<std::vector<std::size_t>>{{0, 400, 0, 3}, {1, 800, 1, 2}, {2, 400, 2, 3}, {3, 1200, 3, 3}}));
}

TEST(BufferHistory, HasAMomentForEachCallAndThePeaks) {
  const BufferHistory history = history_of_calls();
  EXPECT_EQ(history.moments.size(), 4u);
  EXPECT_EQ(history.peak, 3u) << "400 + 400 + 1200";
}

TEST(BufferHistory, WithoutKernelsHasOneMoment) {
  const BufferHistory history = buffer_history({}, {}, {}, {}, {}, {}, {});
  EXPECT_EQ(history.moments.size(), 1u);
  EXPECT_TRUE(history.spans.empty());
}

}  // namespace
}  // namespace fxcut
