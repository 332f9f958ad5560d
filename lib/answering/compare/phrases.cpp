#include "compare/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "text/quantities.h"

namespace fxcut {

namespace {

constexpr double kHugePercent = 100'000;  // a thousand times as much: of other figures than these nobody needs the share

}  // namespace

std::string show_figure(Int128 value, std::string_view unit) {
  if (unit == "ps") return show_time(static_cast<double>(value) / kPicosecondsPerMs);
  return unit.empty() ? fmt::format("{}", static_cast<std::int64_t>(value))
                      : show_scaled(static_cast<double>(value), unit);
}

std::string show_change(Int128 change, std::string_view unit) {
  const std::string_view sign = change > 0 ? "+" : change < 0 ? "-" : "";
  return fmt::format("{}{}", sign, show_figure(change < 0 ? -change : change, unit));
}

std::string show_amount(const ValueChange& change) {
  const bool is_run = change.bytes == 0 && change.flops != 0;
  const Int128 amount = is_run ? change.flops : change.bytes;
  const std::string_view unit = is_run ? "FLOP" : "B";
  return change.kind == ValueChange::Kind::Is ? show_figure(amount, unit) : show_change(amount, unit);
}

std::string show_share(const FigureChange& figure) {
  if (figure.change() == 0 || figure.before == 0) return "";
  const double percent = 100 * static_cast<double>(figure.change()) / static_cast<double>(figure.before);
  const double size = std::abs(percent);
  if (size >= kHugePercent) return "+100000 % or more";  // it cannot be less than -100 %
  if (size >= 0.005) return fmt::format("{:+.{}f} %", percent, size < 1 ? 2 : size < 99.95 ? 1 : 0);
  return percent > 0 ? "+0.01 % or less" : "-0.01 % or less";
}

std::string show_name(const ValueChange& change) {
  if (!change.before || !change.after || change.before->name == change.after->name) return change.value().name;
  return fmt::format("{} -> {}", change.before->name, change.after->name);
}

std::string show_extent(const ValueChange& change) {
  if (change.kind == ValueChange::Kind::ToForm) return change.after->extent + " as " + change.after->form;
  if (change.kind == ValueChange::Kind::FromForm) return change.before->extent + " as " + change.before->form;
  const bool both = change.before && change.after;
  if (!both || change.before->extent == change.after->extent) return change.value().extent;
  if (change.before->extent.empty() || change.after->extent.empty()) {
    return change.before->extent + change.after->extent;
  }
  return fmt::format("{} -> {}", change.before->extent, change.after->extent);
}

std::vector<std::pair<std::string, std::ptrdiff_t>> count_by_operator(const std::vector<ValueChange>& changes) {
  std::map<std::string, std::ptrdiff_t> counts;
  for (const ValueChange& change : changes) {
    if (change.kind == ValueChange::Kind::Added) ++counts[change.value().op];
    if (change.kind == ValueChange::Kind::Removed) --counts[change.value().op];
  }
  std::vector<std::pair<std::string, std::ptrdiff_t>> sorted;
  for (const auto& [op, count] : counts) {
    if (count != 0) sorted.emplace_back(op, count);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return sorted;
}

std::vector<FigureChange> shown_figures(const Difference& difference) {
  std::vector<FigureChange> shown;
  for (const FigureChange& figure : difference.figures) {
    if (figure.is_main || figure.change() != 0) shown.push_back(figure);
  }
  return shown;
}

}  // namespace fxcut
