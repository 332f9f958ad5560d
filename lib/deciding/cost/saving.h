// The cost of saving a value for the backward.
#pragma once

#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "graph/int128.h"

namespace fxcut {

enum class Unsavable {
  No,
  NonTensor,      // a tuple or another non-tensor
  View,           // recompute_views is set
  Replayed,       // its mutation is replayed after the forward
};

std::string_view phrase_for(Unsavable why);

struct SavingCost {
  Unsavable unsavable = Unsavable::No;
  Int128 cost = 0;              // bytes, weighted; meaningless if unsavable
  std::int64_t size_bytes = 0;  // of the value
  bool materialized = true;     // in memory in any case; if not, its cost is doubled
  int distance = 0;             // nodes to the backward, by which the cost is weighted; 0: not weighted
};

// The cost by node (the node edges of PyTorch's solve_min_cut): bytes, times 1.1 for each node up to 100 between it and
// the backward, rounded down, and twice that for values that fusion would keep out of memory. A static lifetime input
// is free with treat_parameters_as_free_to_save; a symbolic number costs 1, a symbolic float 4; opaque objects nothing.
// Meaningless for the output and for values that only the backward computes.
std::vector<SavingCost> saving_costs(const Analysis& analysis);

}  // namespace fxcut
