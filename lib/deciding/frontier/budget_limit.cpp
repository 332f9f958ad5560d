#include "frontier/budget_limit.h"

#include <cmath>

#include "solve/saved_values.h"

namespace fxcut {

std::int64_t limit_of_budget(const Analysis& analysis, const StorageBytes& storages, double budget) {
  const std::int64_t least = bytes_not_static(analysis.graph(), storages, analysis.roles.inputs);
  const CutAnswer first = solve_cut(analysis, ban_options(analysis.settings));
  const std::int64_t most = bytes_not_static(analysis.graph(), storages, first.saved);
  if (most <= least) return most;
  return least + static_cast<std::int64_t>(std::floor(budget * static_cast<double>(most - least)));
}

}  // namespace fxcut
