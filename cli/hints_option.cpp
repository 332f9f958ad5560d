#include "cli/hints_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "diagnostic/diagnostic.h"
#include "text/comma_list.h"

namespace fxcut {

SymbolHints parse_hints(const std::string& text) {
  SymbolHints hints;
  for (const std::string& part : split_at_commas(text)) {
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    std::int64_t number = 0;
    const char* const begin = part.data() + std::min(equals + 1, part.size());
    const char* const end = part.data() + part.size();
    const auto read = std::from_chars(begin, end, number);
    if (equals == 0 || begin == end || read.ec != std::errc() || read.ptr != end || number < 0) {
      throw Failure(ExitStatus::Usage, fmt::format("--hints: expected SYMBOL=NUMBER,..., found '{}'", part));
    }
    hints.insert_or_assign(part.substr(0, equals), number);
  }
  return hints;
}

}  // namespace fxcut
