#include "check/criteria.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "settings/memory_limit.h"

namespace fxcut {
namespace {

// The sum of more than this and a baseline might overflow.
constexpr double kMaxAmount = 1e36;

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto r = std::from_chars(text.data(), end, number);
  if (r.ec != std::errc() || r.ptr != end || !std::isfinite(number) || number < 0) return std::nullopt;
  return number;
}

std::string_view without_end(std::string_view text, std::string_view end) {
  if (text.ends_with(end)) text.remove_suffix(end.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<Int128> parse_flops(std::string_view text) {
  constexpr std::string_view kPrefixes = "kMGTPE";
  double factor = 1;
  if (text.ends_with("FLOP")) {
    text.remove_suffix(4);
    const std::size_t power = text.empty() ? std::string_view::npos : kPrefixes.find(text.back());
    if (power != std::string_view::npos) {
      factor = std::pow(1000.0, static_cast<double>(power + 1));
      text.remove_suffix(1);
    }
  }
  const std::optional<double> number = parse_number(without_end(text, ""));
  if (!number || *number * factor > kMaxAmount) return std::nullopt;
  return static_cast<Int128>(*number * factor);
}

std::optional<Int128> parse_bytes(std::string_view text) {
  const std::optional<MemoryLimit> limit = parse_memory_limit(text);
  if (!limit || limit->is_least) return std::nullopt;
  return limit->bytes;
}

std::optional<Int128> parse_time(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {{{"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
  for (const auto& [unit, picoseconds] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const std::optional<double> number = parse_number(without_end(text, unit));
    if (!number || *number * picoseconds > kMaxAmount) return std::nullopt;
    return static_cast<Int128>(*number * picoseconds);
  }
  return std::nullopt;
}

struct UnitRow {
  std::string_view name, examples;
  std::optional<Int128> (*parse)(std::string_view);
};

const UnitRow& row_of(LimitUnit unit) {
  static constexpr UnitRow kRows[] = {{"B", "12GiB, 2% or +100MB", parse_bytes},
                                      {"FLOP", "3TFLOP, 2% or +1GFLOP", parse_flops},
                                      {"ps", "5ms, 2% or +1ms", parse_time}};
  return kRows[static_cast<std::size_t>(unit)];
}

// "mod:mlp", not "aten::mm".
bool has_other_prefix(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || text.substr(colon).starts_with("::")) return false;
  return std::ranges::all_of(text.substr(0, colon), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::string_view name_of(LimitUnit unit) { return row_of(unit).name; }

std::string_view examples_of(LimitUnit unit) { return row_of(unit).examples; }

Int128 Limit::most(Int128 before) const {
  if (!is_growth) return amount;
  const double share = static_cast<double>(before) * percent / 100;
  return sum_at_most(before, amount + static_cast<Int128>(std::min(share, kMaxAmount)));
}

std::optional<Limit> parse_limit(std::string_view text, LimitUnit unit) {
  Limit limit;
  limit.text = text;
  limit.is_growth = text.starts_with('+') || text.ends_with('%');
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with(' ')) return std::nullopt;
  if (text.ends_with('%')) {
    const std::optional<double> percent = parse_number(without_end(text, "%"));
    if (!percent) return std::nullopt;
    limit.percent = *percent;
    return limit;
  }
  const std::optional<Int128> amount = row_of(unit).parse(text);
  if (!amount) return std::nullopt;
  limit.amount = *amount;
  return limit;
}

std::optional<ValuePattern> ValuePattern::parse(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Of>, 3> kKinds = {
      {{"op:", Of::Operator}, {"name:", Of::Name}, {"module:", Of::Module}}};
  std::string_view glob = text;
  Of of = Of::Any;
  for (const auto& [prefix, kind] : kKinds) {
    if (!text.starts_with(prefix)) continue;
    glob.remove_prefix(prefix.size());
    of = kind;
  }
  if (glob.empty() || (of == Of::Any && has_other_prefix(glob))) return std::nullopt;
  return ValuePattern(std::string(text), of, std::string(glob));
}

bool ValuePattern::matches_name(std::string_view name) const {
  return (of_ == Of::Any || of_ == Of::Name) && !name.empty() && glob_.matches(name);
}

bool ValuePattern::matches(std::string_view name, std::string_view op, const Provenance& provenance) const {
  if (of_ == Of::Module) return !provenance.module.empty() && glob_.matches_path(provenance.module);
  const bool is_operator = (of_ == Of::Any || of_ == Of::Operator) && operator_.matches(op);
  return is_operator || matches_name(name) || matches_name(provenance.checkpoint_name);
}

}  // namespace fxcut
