// The numbers in a name, such as the 4 in "mm_4" and in "model.layers.4.mlp": what layers that are alike differ in.
//
// A number is a run of digits that its value gives back: it has no leading zero, and no more digits than fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

std::vector<std::int64_t> numbers_in(std::string_view text);

// The text with "0" for each number. Two texts of one pattern differ in nothing but their numbers.
std::string pattern_of(std::string_view text);

// The text with these in the place of its numbers, of which it has as many.
std::string with_numbers(std::string_view text, const std::int64_t* numbers);

// `number` + `times` * `step`; nothing where it would not be a number of a text.
std::optional<std::int64_t> stepped(std::int64_t number, std::int64_t step, std::size_t times);

}  // namespace fxcut
