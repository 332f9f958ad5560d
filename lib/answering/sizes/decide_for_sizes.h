// One decision for a graph whose sizes vary, such as the tokens of each expert of a mixture of experts.
//
// A compiled graph runs at many sizes, but saves the same values at each. So one decision has to be within the limit of memory at
// each of the given sizes, and among those it should take the least time: on average, or at the slowest size.
//
// Decisions are made at one size after the other, each within its own limit, and replayed at all of them: first at the largest,
// then at the size that exceeds its limit most; what a size still exceeds after that is taken off its limit. Besides, one search
// is for all sizes together (each_size.h). It is for saved bytes; within limits of the peak, those of saved bytes are lowered
// where the peak of what it finds is too high. Of the decisions that are within each limit, the cheapest is chosen, by the prices
// of the solver or, where kernels are priced, by the predicted times of the steps.
//
// Without a limit the decision is PyTorch's, from the first sizes alone, as PyTorch compiles a graph with the hints of its first
// inputs.
#pragma once

#include <cstddef>
#include <vector>

#include "partition/partition.h"
#include "report/varying_sizes.h"

namespace fxcut {

struct DecidedForSizes {
  Partition partition;
  std::size_t at = 0;  // the size at which it is, also in its report's varying_sizes
};

// `sizes`: at least one, the graph as it was read with each of the hints. A limit in the settings is one at each size; `least` is
// the least at each, or as little above that, by the same factor at all, as was found. Throws Failure (NoPartition) with the size
// at which there is no decision within the limit, or with the nearest decision that was found; Failure (Usage) if values are to
// be saved in fewer bits.
DecidedForSizes decide_for_sizes(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies,
                                 LeastFor least_for, const HaltRequested& halt = kNeverHalt);

}  // namespace fxcut
