// The waits of copies that share a channel, updated after each change, against those computed from all copies.
#include "host/copy_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "host/choose_copies.h"

namespace fxcut {
namespace {

// Whatever is copied, in both directions.
TEST(CopyQueue, IsAsLateAsItsCopies) {
  std::mt19937 random(1);
  const HostChannel channel{.picoseconds_per_byte = 2};
  constexpr double kForward = 60;
  for (int queue = 0; queue < 200; ++queue) {
    std::vector<StorageUse> uses(1 + random() % 20);
    for (StorageUse& use : uses) {
      use.bytes = 1 + static_cast<std::int64_t>(random() % 9);
      use.last_in_forward = static_cast<double>(random() % 60);
      use.first_in_backward = static_cast<double>(random() % 60);
    }
    std::ranges::stable_sort(uses, {}, &StorageUse::first_in_backward);
    std::vector<std::size_t> by_last(uses.size());
    for (std::size_t i = 0; i < by_last.size(); ++i) by_last[i] = i;
    std::ranges::stable_sort(by_last, {}, [&](std::size_t i) { return -uses[i].last_in_forward; });
    CopyQueue back(std::vector<CopyQueue::Part>(uses.size())), to_host = back;
    std::vector<bool> is_copied(uses.size(), false);
    for (int change = 0; change < 30; ++change) {
      const std::size_t place = random() % uses.size(), one = by_last[place];
      const double took = 2 * static_cast<double>(uses[one].bytes);
      is_copied[one] = !is_copied[one];
      to_host.set(place, is_copied[one] ? CopyQueue::Part{took, took + uses[one].last_in_forward} : CopyQueue::Part{});
      back.set(one, is_copied[one] ? CopyQueue::Part{took, took - uses[one].first_in_backward} : CopyQueue::Part{});
      std::vector<StorageUse> copied;
      for (std::size_t i = 0; i < uses.size(); ++i) {
        if (is_copied[i]) copied.push_back(uses[i]);
      }
      const std::size_t middle = random() % uses.size();
      const CopyQueue::Part whole = CopyQueue::joined(back.of(0, middle), back.of(middle, uses.size()));
      const double waits = std::max(0.0, to_host.of(0, uses.size()).late - kForward) + std::max(0.0, whole.late);
      EXPECT_DOUBLE_EQ(waits, waiting_for(copied, kForward, channel));
    }
  }
}

TEST(CopyQueue, AnEmptyQueueIsNeverLate) { EXPECT_LT(CopyQueue().of(0, 0).late, 0); }

}  // namespace
}  // namespace fxcut
