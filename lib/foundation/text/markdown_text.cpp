#include "text/markdown_text.h"

#include <algorithm>

#include "text/printable.h"

namespace fxcut {
namespace {

// Without line ends, and printable.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(line);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()#+!|<>~&@";
  std::string escaped;
  for (const char c : in_one_line(text)) {
    if (kMarkup.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  if (text.empty()) return "";
  // In code only a bar ends a cell, and only as many backticks as at its beginning end the code.
  std::string inner;
  std::size_t run = 0, longest = 0;
  for (const char c : in_one_line(text)) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') inner += '\\';
    inner += c;
  }
  const std::string fence(longest + 1, '`');
  const std::string_view space = longest > 0 ? " " : "";
  return fence + std::string(space) + inner + std::string(space) + fence;
}

std::string markdown_table(const std::vector<std::vector<std::string>>& rows, std::string_view alignment) {
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    text += "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    text += "\n";
  };
  add_row(rows.front());
  text += "|";
  for (const char side : alignment) text += side == 'r' ? " ---: |" : " --- |";
  text += "\n";
  std::for_each(rows.begin() + 1, rows.end(), add_row);
  return text;
}

}  // namespace fxcut
