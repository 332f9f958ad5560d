// Alike layers as one: of a list that goes on as
//
//     mm_7  layers.1.wq     mm_8  layers.1.wk     mm_14  layers.2.wq     mm_15  layers.2.wk     mm_21  layers.3.wq ...
//
// the first two rows, the steps of their numbers ([7, 1] for both) and how many times they come say all. A row is a
// pattern and numbers here; rows fold where patterns repeat and each number grows by the same step each time.
//
// That is a way to write a list, which comes back exactly as it was: what is alike for people is in layers/layers.h.
//
// The list is gone through once. Where it stands, each length of a group up to kLongestGroup is tried, and the one that
// saves most rows is taken: greedy, but what is not folded is merely longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fxcut {

struct NumberedRow {
  std::size_t pattern = 0;  // equal where rows differ in their numbers only
  std::vector<std::int64_t> numbers;
};

// `size` rows from `first` on, which come `times` times; 1 where they do not fold.
struct Fold {
  std::size_t first = 0, size = 1, times = 1;
};

// All rows, in their order.
std::vector<Fold> fold(const std::vector<NumberedRow>& rows);

// What is added to each number of a row of a fold of that size from one time to the next.
std::vector<std::int64_t> steps_of(const std::vector<NumberedRow>& rows, std::size_t row, std::size_t size);

}  // namespace fxcut
