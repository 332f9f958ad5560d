#include "solve/knapsack.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fxcut {
namespace {

constexpr double kSteps = 10000;

// Rounds half to even, as Python does.
std::size_t quantize(double share) { return static_cast<std::size_t>(std::nearbyint(std::max(share, 0.0) * kSteps)); }

}  // namespace

std::vector<bool> dp_knapsack(const std::vector<double>& memory, const std::vector<double>& runtime, double limit) {
  const std::size_t capacity = quantize(limit), items = memory.size();
  std::vector<std::vector<float>> best(items + 1, std::vector<float>(capacity + 1, 0.0F));  // by first items, by memory
  for (std::size_t i = 0; i < items; ++i) {
    const std::size_t weight = quantize(memory[i]);
    best[i + 1] = best[i];
    for (std::size_t m = weight; m <= capacity; ++m) {
      const float with_it = best[i][m - weight] + static_cast<float>(runtime[i]);
      best[i + 1][m] = weight == 0 ? with_it : std::max(best[i][m], with_it);
    }
  }
  std::vector<bool> saved(items, false);
  std::size_t left = capacity;
  for (std::size_t i = items; i-- > 0;) {
    if (best[i + 1][left] == best[i][left]) continue;
    saved[i] = true;
    left -= quantize(memory[i]);
  }
  return saved;
}

}  // namespace fxcut
