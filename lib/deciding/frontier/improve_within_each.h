// A choice within each of several limits, from one that may exceed some.
//
// While a limit is exceeded, the storage is dropped that adds the least cost for each byte at the size that exceeds its limit
// most. Then the storage is kept that spares the most cost within all limits, as long as there is one.
#pragma once

#include <cstdint>
#include <vector>

#include "frontier/evaluate.h"

namespace fxcut {

struct ProblemAtSize;

// Examines about `most_items` items in all, so that it ends in time on large problems; then limits may still be exceeded.
KeptStorages improved_within_each(const std::vector<ProblemAtSize>& sizes, const KeptStorages& kept, std::int64_t most_items);

}  // namespace fxcut
