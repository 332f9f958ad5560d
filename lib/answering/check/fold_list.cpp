#include "check/fold_list.h"

#include <algorithm>
#include <charconv>

#include "graph/int128.h"

namespace fxcut {
namespace {

// The numbers in a name, such as the 4 in "mm_4" and in "model.layers.4.mlp", in which alike layers differ.
//
// A number is a run of digits that can be restored from its value: without a leading zero, and short enough.

constexpr std::size_t kMaxDigits = 15;
constexpr std::int64_t kMaxNumber = 999'999'999'999'999;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_number(std::string_view digits) {
  return digits.size() == 1 || (digits.front() != '0' && digits.size() <= kMaxDigits);
}

// Calls `on_number` for the digits of each number and `on_other` for the text between them.
template <typename OnNumber, typename OnOther>
void walk(std::string_view text, const OnNumber& on_number, const OnOther& on_other) {
  while (!text.empty()) {
    const bool is_run = is_digit(text.front());
    const auto end = std::find_if(text.begin(), text.end(), [&](char c) { return is_digit(c) != is_run; });
    const std::string_view part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    is_run && is_number(part) ? on_number(part) : on_other(part);
    text.remove_prefix(part.size());
  }
}

// Layers of large models have some hundred values.
constexpr std::size_t kLongestGroup = 512;
// Two repetitions are easier to read as two lines, and any two rows of a pattern are a step apart.
constexpr std::size_t kMinRepetitions = 3;

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

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const auto add = [&](std::string_view digits) {
    std::from_chars(digits.data(), digits.data() + digits.size(), numbers.emplace_back());
  };
  walk(text, add, [](std::string_view) {});
  return numbers;
}

std::string pattern_of(std::string_view text) {
  std::string pattern;
  walk(text, [&](std::string_view) { pattern += '0'; }, [&](std::string_view part) { pattern += part; });
  return pattern;
}

std::string with_numbers(std::string_view text, const std::int64_t* numbers) {
  std::string result;
  walk(text, [&](std::string_view) { result += std::to_string(*numbers++); }, [&](std::string_view part) { result += part; });
  return result;
}

std::optional<std::int64_t> stepped(std::int64_t number, std::int64_t step, std::size_t times) {
  const Int128 result = number + Int128{step} * static_cast<Int128>(times);
  if (result < 0 || result > kMaxNumber) return std::nullopt;
  return static_cast<std::int64_t>(result);
}

std::vector<Fold> fold(const Rows& rows) {
  std::vector<Fold> folds;
  for (std::size_t first = 0; first < rows.size();) {
    Fold best{first, 1, 1};
    const std::size_t longest = std::min(kLongestGroup, (rows.size() - first) / kMinRepetitions);
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
