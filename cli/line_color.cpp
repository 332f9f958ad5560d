#include "cli/line_color.h"

#include <algorithm>
#include <cctype>

namespace fxcut {
namespace {

constexpr std::string_view kBold = "1", kRed = "1;31", kGreen = "32", kYellow = "33";
constexpr std::size_t kShortestTitle = 4;  // letters of its first word

// "SAVED VALUES", or the titles of a table: capitals, and a word of some length first.
bool is_title(std::string_view line) {
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  const auto is_small = [](unsigned char c) { return std::islower(c) != 0; };
  const auto word_end = std::find_if_not(line.begin(), line.end(), is_capital);
  return static_cast<std::size_t>(word_end - line.begin()) >= kShortestTitle &&
         std::none_of(line.begin(), line.end(), is_small) && (word_end == line.end() || *word_end == ' ');
}

// The length of a message's beginning, up to and including `word`.
std::size_t end_of(std::string_view word, std::string_view line) {
  const std::size_t at = line.starts_with("fxcut: ") ? line.find(word) : line.npos;
  return at == line.npos ? 0 : at + word.size();
}

}  // namespace

LineColor color_of(std::string_view line) {
  if (const std::size_t end = end_of("error:", line); end > 0) return {kRed, end};
  if (const std::size_t end = end_of("warning:", line); end > 0) return {kYellow, end};
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  constexpr std::string_view kFailed = "FAILED  ", kPassed = "passed  ";  // of a check
  if (line.substr(indent).starts_with(kFailed)) return {kRed, indent + kFailed.size()};
  if (line.substr(indent).starts_with(kPassed)) return {kGreen, indent + kPassed.size()};
  return is_title(line) ? LineColor{kBold, line.size()} : LineColor{};
}

}  // namespace fxcut
