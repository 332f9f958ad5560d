// The order of kernels that need the same memory in any order: as inductor goes through the graph.
#include "inductor/order_kernels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

using Order = std::vector<std::uint32_t>;

FusedKernel kernel(KernelId first, std::vector<BufferId> reads, BufferId written, std::vector<BufferId> changes = {}) {
  FusedKernel made;
  made.parts = {first};
  made.reads = std::move(reads);
  made.writes = {written};
  made.changes = std::move(changes);
  return made;
}

// All buffers are outputs of one size, so that each order has the same peak.
Order order_of(const std::vector<FusedKernel>& kernels, std::size_t buffers,
               std::optional<std::pair<BufferId, BufferId>> change = {}) {
  Kernels program{std::vector<Buffer>(buffers), std::vector<Kernel>(kernels.size())};
  for (Buffer& buffer : program.buffers) {
    buffer.bytes = 400;
    buffer.is_output = true;
  }
  if (change) program.buffers[change->second].changed_from = change->first;
  return order_kernels(program, kernels, std::vector<bool>(buffers, false)).order;
}

TEST(OrderKernels, ReadyKernelsRunInTheOrderOfTheirBuffersNames) {
  // The first waits for buf8, buf9 and buf10.
  EXPECT_EQ(order_of({kernel(0, {8, 9, 10}, 0), kernel(1, {}, 8), kernel(2, {}, 9), kernel(3, {}, 10)}, 11), (Order{3, 1, 2, 0}));
}

TEST(OrderKernels, ReadersOfAnOverwrittenBufferWaitOnlyForItsWriter) {
  // buf2 is what kernel 2 makes of buf1, a fill, and of buf0.
  const std::vector<FusedKernel> kernels = {kernel(0, {2, 1}, 3), kernel(1, {}, 1), kernel(2, {0}, 2, {1}), kernel(3, {}, 0)};
  EXPECT_EQ(order_of(kernels, 4, std::pair<BufferId, BufferId>{1, 2}), (Order{3, 1, 2, 0}));
}

TEST(OrderKernels, WritersOfAnInputWaitForWritersOfWhatTheyRead) {
  // Kernel 0 writes buf0 of buf1, and then 1 writes buf1: neither makes a buffer.
  FusedKernel first, second;
  first.parts = {0};
  first.reads = {1};
  first.changes = {0};
  second.parts = {1};
  second.reads = second.changes = {1};
  Kernels program{std::vector<Buffer>(2), std::vector<Kernel>(2)};
  for (Buffer& buffer : program.buffers) buffer.is_input = true;
  EXPECT_EQ(order_kernels(program, {first, second}, {false, false}).order, (Order{0, 1}));
}

}  // namespace
}  // namespace fxcut
