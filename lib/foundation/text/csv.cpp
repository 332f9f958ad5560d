#include "text/csv.h"

#include "text/printable.h"

namespace fxcut {

std::string csv_field(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";  // first characters of formulas
  const bool is_formula = !text.empty() && kFormula.find(text.front()) != std::string_view::npos;
  const std::string cell = (is_formula ? "'" : "") + printable_lines(text);
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string field = "\"";
  for (const char c : cell) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

}  // namespace fxcut
