// Folds alike layers. For a list that continues as
//
//     mm_7  layers.1.wq     mm_8  layers.1.wk     mm_14  layers.2.wq     mm_15  layers.2.wk     mm_21  layers.3.wq ...
//
// the first two rows, the steps of their numbers ([7, 1] for both) and the number of repetitions contain everything. A row
// is a pattern and numbers here; rows fold if patterns repeat and each number grows by the same step each time.
//
// This is lossless compression of a list; report/layers.h decides which layers are alike for readers.
//
// At each position of the list every length of a group up to kLongestGroup is tried, and the one that saves most rows is
// used: greedy, but rows that are not folded only make the list longer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct NumberedRow {
  std::size_t pattern = 0;  // equal for rows that differ only in their numbers
  std::vector<std::int64_t> numbers;
};

// `size` rows from `first` on, repeated `times` times; 1 if they do not fold.
struct Fold {
  std::size_t first = 0, size = 1, times = 1;
};

// All rows, in their order.
std::vector<Fold> fold(const std::vector<NumberedRow>& rows);

// The difference of each number of a row between two repetitions of a fold of that size.
std::vector<std::int64_t> steps_of(const std::vector<NumberedRow>& rows, std::size_t row, std::size_t size);

std::vector<std::int64_t> numbers_in(std::string_view text);

// The text with "0" for each number. Two texts of one pattern differ only in their numbers.
std::string pattern_of(std::string_view text);

// The text with these numbers in place of its own, of which it has as many.
std::string with_numbers(std::string_view text, const std::int64_t* numbers);

// `number` + `times` * `step`; empty if it would not be a number of a text.
std::optional<std::int64_t> stepped(std::int64_t number, std::int64_t step, std::size_t times);

}  // namespace fxcut
