#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cli/options.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr std::size_t kNarrowest = 60;  // columns: tables get no narrower

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::size_t width_of_terminal(std::size_t otherwise) {
  if (isatty(STDOUT_FILENO) == 0) return otherwise;
  std::size_t width = whole_number(environment("COLUMNS")).value_or(0);
  winsize size{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? otherwise : std::max(width, kNarrowest);
}

Failure expected(const OptionRow& row, const std::string& found) {
  std::string words = row.value;
  std::replace(words.begin(), words.end(), '|', ' ');
  return Failure(ExitStatus::Usage, fmt::format("--{} '{}': expected {}", row.name, found, row.value),
                 fmt::format("for example --{} {}", row.name, words.substr(0, words.find(' '))));
}

}  // namespace

TextStyle text_style_for(const std::string& units, const std::string& limit) {
  TextStyle style;
  style.width = width_of_terminal(style.width);
  if (!units.empty() && units != "GB" && units != "GiB") throw expected(kUnits, units);
  style.binary_units = units == "GiB";
  if (limit.empty()) return style;
  style.limit = whole_number(limit);
  if (style.limit.value_or(0) > 0) return style;
  throw Failure(ExitStatus::Usage, fmt::format("--limit {}: expected 1 or more", limit), "for example --limit 20");
}

bool is_colored(const std::string& when, int stream) {
  if (when == "always" || when == "never") return when == "always";
  if (!when.empty() && when != "auto") throw expected(kColor, when);
  return isatty(stream) == 1 && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

}  // namespace fxcut
