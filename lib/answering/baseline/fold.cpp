#include "baseline/fold.h"

#include <algorithm>

namespace fxcut {
namespace {

// Layers of large models have some hundred values.
constexpr std::size_t kLongestGroup = 512;
// Two repetitions are easier to read as two lines, and any two rows of a pattern are a step apart.
constexpr std::size_t kFewestTimes = 3;

using Rows = std::vector<NumberedRow>;

// Whether the row repeats two more times, each `size` rows later, with numbers one step higher. Most rows that do not repeat
// fail at the first comparison.
bool goes_on(const Rows& rows, std::size_t row, std::size_t size) {
  const NumberedRow &one = rows[row], &two = rows[row + size], &three = rows[row + 2 * size];
  if (one.pattern != two.pattern || two.pattern != three.pattern) return false;
  for (std::size_t i = 0; i < one.numbers.size(); ++i) {
    if (two.numbers[i] - one.numbers[i] != three.numbers[i] - two.numbers[i]) return false;
  }
  return true;
}

std::size_t times_of(const Rows& rows, std::size_t first, std::size_t size) {
  std::size_t row = first;
  while (row + 2 * size < rows.size() && goes_on(rows, row, size)) ++row;
  const std::size_t groups = (row - first) / size;
  return groups > 0 ? groups + 2 : 1;
}

}  // namespace

std::vector<Fold> fold(const Rows& rows) {
  std::vector<Fold> folds;
  for (std::size_t first = 0; first < rows.size();) {
    Fold best{first, 1, 1};
    const std::size_t longest = std::min(kLongestGroup, (rows.size() - first) / kFewestTimes);
    for (std::size_t size = 1; size <= longest; ++size) {
      const std::size_t times = times_of(rows, first, size);
      if ((times - 1) * size > (best.times - 1) * best.size) best = {first, size, times};
    }
    folds.push_back(best);
    first += best.size * best.times;
  }
  return folds;
}

std::vector<std::int64_t> steps_of(const Rows& rows, std::size_t row, std::size_t size) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 0; i < rows[row].numbers.size(); ++i) {
    steps.push_back(rows[row + size].numbers[i] - rows[row].numbers[i]);
  }
  return steps;
}

}  // namespace fxcut
