// Decisions that were made at one size each, replayed at all of them, and compared within a limit at each.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph/graph.h"
#include "graph/int128.h"
#include "partition/partition.h"
#include "report/varying_sizes.h"

namespace fxcut {

// The quantity that is limited at each size.
enum class Limited { Nothing, SavedBytes, Peak };

// The limit of a decision that was made for the least possible, not for a limit in bytes.
inline constexpr Int128 kNoBytes = -1;

struct ReplayedDecision {
  Partition partition;
  std::size_t at = 0;       // the size at which it was made
  Int128 within = kNoBytes;  // the limit that it was made for
  std::vector<SizePoint> points;
};

// The bytes as a part of the limit.
inline double share_of(Int128 bytes, Int128 limit) {
  return static_cast<double>(bytes) / static_cast<double>(limit > 0 ? limit : 1);
}

class ReplayedDecisions {
 public:
  // `sizes` is kept by reference.
  ReplayedDecisions(const std::vector<JointGraph>& sizes, Limited limited)
      : sizes_(sizes), limited_(limited) {}

  const ReplayedDecision& add(Partition partition, std::size_t at, Int128 within);
  std::deque<ReplayedDecision>& all() { return all_; }
  const std::deque<ReplayedDecision>& all() const { return all_; }

  // In bytes, by size; empty until they are set.
  const std::vector<Int128>& limits() const { return limits_; }
  void set_limits(std::vector<Int128> limits) { limits_ = std::move(limits); }
  // To the least of any decision at each size, times the smallest factor by which one of the decisions is above these.
  void set_limits_to_least();

  bool is_within(const ReplayedDecision& one) const;
  bool any_within() const;
  double share_of_limit(const ReplayedDecision& one, std::size_t size) const;
  // The size that is nearest its limit, or the most above it.
  std::size_t tightest(const ReplayedDecision& one) const;

  // The cheapest decision within the limit at each size, the first of equal ones. Null if there is none.
  ReplayedDecision* cheapest_within(const std::function<double(const ReplayedDecision&)>& cost_of);
  // The failure that there is none, with the one that is nearest.
  Failure none_within() const;

 private:
  Int128 used(const SizePoint& point) const { return limited_ == Limited::Peak ? point.peak_bytes : Int128{point.saved_bytes}; }
  double factor_above(const ReplayedDecision& one, const std::vector<Int128>& bytes) const;

  const std::vector<JointGraph>& sizes_;
  Limited limited_;
  std::vector<Int128> limits_;
  std::deque<ReplayedDecision> all_;
};

}  // namespace fxcut
