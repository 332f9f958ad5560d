#include "cli/hints_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/memory_cap.h"
#include "diagnostic/diagnostic.h"
#include "graph/int128.h"
#include "read/read_graph.h"
#include "sizes/hinted_text.h"
#include "text/comma_list.h"

namespace fxcut {
namespace {

constexpr std::int64_t kNumbersOfRange = 5;

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

[[noreturn]] void refuse_hint(std::string_view part, std::string_view expected) {
  throw Failure(ExitStatus::Usage, fmt::format("--hints: expected {}, found '{}'", expected, part));
}

// "s0=1024": the symbol, and what is after it.
std::optional<std::pair<std::string, std::string_view>> symbol_in(std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  return std::pair(std::string(part.substr(0, equals)), part.substr(equals + 1));
}

[[noreturn]] void refuse_many() {
  throw Failure(ExitStatus::Usage, fmt::format("--hints: expected at most {} combinations of numbers", kMaxSizes),
                "give the smallest, the largest and a few between");
}

// "1024..4096" or "1024..4096:512"; nullopt if it is neither.
std::optional<std::vector<std::int64_t>> range_in(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::size_t colon = std::min(text.find(':', dots), text.size());
  const auto first = number_in(text.substr(0, dots)), last = number_in(text.substr(dots + 2, colon - dots - 2));
  if (!first || !last || *first >= *last) return std::nullopt;
  std::vector<std::int64_t> numbers;
  if (colon == text.size()) {
    for (std::int64_t i = 0; i + 1 < kNumbersOfRange; ++i) {
      const auto number = static_cast<std::int64_t>(*first + Int128{*last - *first} * i / (kNumbersOfRange - 1));
      if (numbers.empty() || number > numbers.back()) numbers.push_back(number);
    }
  } else {
    const auto step = number_in(text.substr(colon + 1));
    if (!step || *step == 0) return std::nullopt;
    if ((*last - *first) / *step >= static_cast<std::int64_t>(kMaxSizes)) refuse_many();
    for (std::int64_t number = *first; number < *last; number += std::min(*step, *last - number)) numbers.push_back(number);
  }
  numbers.push_back(*last);
  return numbers;
}

std::vector<std::int64_t> numbers_in(std::string_view text, std::string_view part) {
  if (const auto number = number_in(text)) return {*number};
  if (auto range = range_in(text)) return *std::move(range);
  refuse_hint(part, "numbers, or ranges as FIRST..LAST or FIRST..LAST:STEP");
}

// The combinations of these with each of the numbers.
std::vector<SymbolHints> combined(const std::vector<SymbolHints>& sizes, const std::string& symbol,
                                  const std::vector<std::int64_t>& numbers) {
  if (sizes.size() * numbers.size() > kMaxSizes) refuse_many();
  std::vector<SymbolHints> all;
  for (const SymbolHints& size : sizes) {
    for (const std::int64_t number : numbers) all.emplace_back(size).insert_or_assign(symbol, number);
  }
  return all;
}

std::vector<SymbolHints> combinations_in(const std::string& text) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> lists;
  std::string name;
  for (const std::string& part : split_at_commas(text)) {
    if (part.empty()) continue;
    const auto symbol = symbol_in(part);
    if (!symbol && lists.empty()) refuse_hint(part, "SYMBOL=NUMBER,...");
    if (symbol) name = symbol->first;
    auto list = std::ranges::find(lists, name, [](const auto& one) { return one.first; });
    if (list == lists.end()) list = lists.insert(list, {name, {}});
    const std::vector<std::int64_t> numbers = numbers_in(symbol ? symbol->second : std::string_view(part), part);
    for (const std::int64_t number : numbers) {
      if (std::ranges::find(list->second, number) == list->second.end()) list->second.push_back(number);
    }
  }
  std::vector<SymbolHints> sizes = {{}};
  for (const auto& [symbol, numbers] : lists) sizes = combined(sizes, symbol, numbers);
  return sizes;
}

// PyTorch's names of symbols: s77, u0, zf1, zuf0.
bool is_symbols_name(std::string_view word) {
  constexpr std::string_view kFirst = "suz", kDigits = "0123456789";
  return kFirst.find(word.front()) != std::string_view::npos && kDigits.find(word.back()) != std::string_view::npos;
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

}  // namespace

SymbolHints parse_hints(const std::string& text) {
  SymbolHints hints;
  for (const std::string& part : split_at_commas(text)) {
    if (part.empty()) continue;
    const auto symbol = symbol_in(part);
    const auto number = symbol ? number_in(symbol->second) : std::nullopt;
    if (!number) refuse_hint(part, "SYMBOL=NUMBER,...");
    if (!hints.emplace(symbol->first, *number).second) refuse_hint(part, "one number for each symbol");
  }
  return hints;
}

void refuse_unknown_symbols(const SymbolHints& hints, std::span<const std::string_view> texts) {
  for (const auto& [symbol, number] : hints) {
    const auto is_in = [&](std::string_view text) { return has_word(text, symbol); };
    if (is_symbols_name(symbol) && std::ranges::any_of(texts, is_in)) continue;
    throw Failure(ExitStatus::Usage, fmt::format("--hints {}={}: there is no such symbol", symbol, number));
  }
}

std::vector<SymbolHints> parse_sizes(const std::vector<std::string>& texts) {
  std::vector<SymbolHints> sizes;
  for (const std::string& text : texts) {
    for (SymbolHints& size : combinations_in(text)) {
      if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(std::move(size));
    }
  }
  if (sizes.size() > kMaxSizes) refuse_many();
  return sizes;
}

void HintsOption::add_to(CommandLine& line, Numbers numbers) {
  const char* const help = numbers == Numbers::One
                               ? "numbers for symbolic sizes, in place of the file's: s0=1024,s1=8"
                               : "numbers for symbolic sizes, in place of the file's: s0=1024,s1=8; of several, s0=512,1024 or "
                                 "s0=512..4096, one decision for all; again: other combinations";
  line.add({"hints", "SYMBOL=N,...", help}, texts_);
}

std::string HintsOption::for_shell() const {
  std::string text;
  for (const std::string& one : texts_) text += " --hints " + in_shell(one);
  return text;
}

GraphFile HintsOption::one_of(GraphFile file, const std::string& torch_version) const {
  const std::vector<SymbolHints> all = sizes();
  if (all.empty()) return file;
  if (all.size() == 1) return with_hints(file, all.front(), torch_version);
  throw Failure(ExitStatus::Usage, "--hints: expected one number for each symbol",
                "'fxcut partition' decides once for several, and its report is of all");
}

GraphFile with_hints(const GraphFile& file, const SymbolHints& hints, const std::string& torch_version) {
  return within_memory(file.name, [&] {
    GraphFile hinted{file.name, nullptr, file.form, file.side, {}};
    hinted.document = Document::parse(hinted_text(*file.document, hints), fmt::format("{} at {}", file.name, show_hints(hints)));
    hinted.joint = read_joint_graph(*hinted.document, torch_version);
    hinted.joint.hints = hints;
    return hinted;
  });
}

GraphFile with_any_hints(GraphFile file, const SymbolHints& hints, const std::string& torch_version) {
  return hints.empty() ? std::move(file) : with_hints(file, hints, torch_version);
}

}  // namespace fxcut
