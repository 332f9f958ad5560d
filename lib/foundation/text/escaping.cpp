#include "text/escaping.h"

#include <algorithm>
#include <array>

#include "text/characters.h"
#include "text/printable.h"

namespace fxcut {
namespace {

// Without line ends, and printable.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return printable(line);
}

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kSpace = "\t\n\r";

constexpr std::array<std::pair<char, std::string_view>, 4> kMarkup = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};

// XML 1.0, production 2: Char.
bool is_in_xml(std::uint32_t code) { return code >= 0x20 && code != 0xfffe && code != 0xffff && code != kNoCharacter; }

std::string shown(std::uint32_t code, std::string_view bytes) {
  const auto markup =
      std::find_if(kMarkup.begin(), kMarkup.end(), [&](const auto& row) { return row.first == bytes.front(); });
  if (markup != kMarkup.end()) return std::string(markup->second);
  if (kSpace.find(bytes.front()) != std::string_view::npos) return std::string(bytes);
  return is_in_xml(code) ? printable(bytes) : std::string(kReplacement);
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarked = "\\`*_{}[]()#+!|<>~&@";
  std::string escaped;
  for (const char c : in_one_line(text)) {
    if (kMarked.find(c) != std::string_view::npos) escaped += '\\';
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

std::string csv_field(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";  // first characters of formulas
  const bool is_formula = !text.empty() && kFormula.find(text.front()) != std::string_view::npos;
  const std::string cell = (is_formula ? "'" : "") + printable_lines(text);
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string field = "\"";
  for (const char c : cell) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    escaped += shown(code, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return escaped;
}

}  // namespace fxcut
