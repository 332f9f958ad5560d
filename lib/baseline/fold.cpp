#include "baseline/fold.h"

#include <algorithm>

namespace fxcut {
namespace {

// Layers of large models have some hundred values.
constexpr std::size_t kLongestGroup = 512;
// Two of a kind are read more easily as two lines.
constexpr std::size_t kFewestTimes = 3;

using Rows = std::vector<NumberedRow>;

// Whether the row comes again `size` rows on, as it came `size` rows before where `is_first` does not hold.
bool goes_on(const Rows& rows, std::size_t row, std::size_t size, bool is_first) {
  const NumberedRow &here = rows[row], &next = rows[row + size];
  if (here.pattern != next.pattern) return false;
  if (is_first) return true;
  const NumberedRow& before = rows[row - size];
  for (std::size_t i = 0; i < here.numbers.size(); ++i) {
    if (next.numbers[i] - here.numbers[i] != here.numbers[i] - before.numbers[i]) return false;
  }
  return true;
}

std::size_t times_of(const Rows& rows, std::size_t first, std::size_t size) {
  std::size_t row = first;
  while (row + size < rows.size() && goes_on(rows, row, size, row < first + size)) ++row;
  return 1 + (row - first) / size;
}

}  // namespace

std::vector<Fold> fold(const Rows& rows) {
  std::vector<Fold> folds;
  for (std::size_t first = 0; first < rows.size();) {
    Fold best{first, 1, 1};
    const std::size_t longest = std::min(kLongestGroup, (rows.size() - first) / kFewestTimes);
    for (std::size_t size = 1; size <= longest; ++size) {
      const std::size_t times = times_of(rows, first, size);
      if (times >= kFewestTimes && (times - 1) * size > (best.times - 1) * best.size) best = {first, size, times};
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
