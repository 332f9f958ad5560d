// The storages that are copied to the host, by hand: a byte takes a picosecond in each direction.
#include "host/choose_copies.h"

#include <gtest/gtest.h>

#include <limits>

namespace fxcut {
namespace {

constexpr std::int64_t kAnyBytes = std::numeric_limits<std::int64_t>::max();
constexpr HostChannel kChannel = {1, true, kAnyBytes};

// Layers of a step whose forward takes 100 ps, the earliest first: each uses its storage last at `last`, and first at `first`.
StorageUse use(StorageIndex storage, std::int64_t bytes, double last, double first) {
  return {storage, NodeId{0}, bytes, last, first, bytes};
}

const std::vector<StorageUse> kLayers = {use(1, 30, 25, 175), use(2, 30, 50, 150), use(3, 30, 75, 50), use(4, 30, 100, 0)};

std::vector<StorageIndex> copied(std::int64_t needed, const HostChannel& channel = kChannel) {
  std::vector<StorageIndex> storages;
  const auto copies = choose_copies(kLayers, needed, 100, channel);
  if (!copies) return storages;
  for (const StorageUse& one : copies->copied) storages.push_back(one.storage);
  return storages;
}

TEST(ChooseCopies, EarlyLayersGoFirst) {
  EXPECT_EQ(copied(1), (std::vector<StorageIndex>{1}));
  EXPECT_EQ(copied(60), (std::vector<StorageIndex>{1, 2}));
}

TEST(ChooseCopies, NothingIsCopiedWhereNothingIsNeeded) {
  EXPECT_TRUE(copied(0).empty());
  EXPECT_TRUE(choose_copies(kLayers, -5, 100, kChannel)->copied.empty());
}

TEST(ChooseCopies, MoreThanThereIsCannotBeCopied) {
  EXPECT_FALSE(choose_copies(kLayers, 121, 100, kChannel));
  EXPECT_FALSE(choose_copies(kLayers, 61, 100, {1, true, 60})) << "the host has no room for three";
  EXPECT_TRUE(choose_copies(kLayers, 60, 100, {1, true, 60}));
}

TEST(ChooseCopies, CountsFreedBytes) {
  StorageUse part = kLayers[0];
  part.bytes = 10;
  EXPECT_TRUE(choose_copies({part}, 30, 100, {1, true, 10})) << "a part is copied, all of its storage is freed";
}

TEST(Waiting, CopiesHideBehindWhatRuns) {
  EXPECT_EQ(waiting_for({kLayers[0], kLayers[1]}, 100, kChannel), 0) << "the second ends at 85, both are back at 60";
}

TEST(Waiting, TheLastLayersCannotHideTheirs) {
  EXPECT_EQ(waiting_for({kLayers[3]}, 100, kChannel), 60) << "30 after the forward, 30 before the backward";
  EXPECT_EQ(waiting_for({kLayers[2]}, 100, kChannel), 5);
}

TEST(Waiting, ADirectionCarriesOneCopyAfterAnother) {
  EXPECT_EQ(waiting_for({use(1, 60, 10, 1000), use(2, 60, 20, 1000)}, 100, kChannel), 30);
  EXPECT_EQ(waiting_for({use(1, 60, 0, 50), use(2, 60, 0, 90)}, 1000, kChannel), 30) << "the second comes at 120";
}

TEST(Waiting, WithoutOverlapEachCopyIsWaitedForTwice) {
  EXPECT_EQ(waiting_for({kLayers[0]}, 100, {1, false, kAnyBytes}), 60);
}

}  // namespace
}  // namespace fxcut
