#include "report/varying_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "report/describe_quality.h"
#include "report/report.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

std::string show_share_of_limit(const SizePoint& point, const Report& report) {
  if (!point.limit_bytes) return "";
  const Int128 used = report.peak_limit ? point.peak_bytes : Int128{point.saved_bytes};
  const Int128 limit = *point.limit_bytes > 0 ? *point.limit_bytes : 1;
  return fmt::format("{:.1f} %", 100 * static_cast<double>(used) / static_cast<double>(limit));
}

std::string show_sizes_quality(const Report& report) {
  const VaryingSizes& sizes = *report.varying_sizes;
  if (!sizes.quality) return "how near it is to the optimum is not known";
  const SizesQuality& quality = *sizes.quality;
  const std::string_view minimised = report.frontier ? minimised_by(*report.frontier) : "recomputation";
  if (quality.run_cost == quality.bound) return fmt::format("the least {}, proven", minimised);
  const std::size_t steps = sizes.least_for == LeastFor::Mean ? sizes.points.size() : 1;
  const double step_ms = minimised_ms(sizes.points, sizes.least_for) / static_cast<double>(steps);
  return fmt::format("at most {} above the least {}",
                     show_above(quality.run_cost / steps, quality.bound / steps, step_ms, report.settings), minimised);
}

std::string show_sizes_search(const Report& report, bool is_compared_by_time) {
  const VaryingSizes& sizes = *report.varying_sizes;
  const std::string at = show_hints(sizes.points[sizes.decided_at].hints);
  if (!sizes.binding) return fmt::format("one decision for these, made at {}, which the other figures are of", at);
  return fmt::format("one decision within the limit at each, with the {} {}: {}\nthe other figures are at {}",
                     is_compared_by_time ? "fastest step" : "least recomputation",
                     sizes.least_for == LeastFor::Mean ? "on average" : "at the largest", show_sizes_quality(report), at);
}

}  // namespace

double minimised_ms(const std::vector<SizePoint>& points, LeastFor least_for) {
  double sum = 0, most = 0;
  for (const SizePoint& point : points) {
    sum += point.step_ms;
    most = std::max(most, point.step_ms);
  }
  return least_for == LeastFor::Mean ? sum : most;
}

std::string show_varying_sizes(const Report& report) {
  if (!report.varying_sizes) return "";
  const VaryingSizes& sizes = *report.varying_sizes;
  std::vector<std::vector<std::string>> rows = {{"sizes", "held", "peak", "step", "recomputes", "of the limit", ""}};
  for (std::size_t p = 0; p < sizes.points.size(); ++p) {
    const SizePoint& point = sizes.points[p];
    rows.push_back({show_hints(point.hints), show_bytes(point.saved_bytes),
                    show_scaled(static_cast<double>(point.peak_bytes), "B"), show_time(point.step_ms),
                    show_time(point.recomputed_ms), show_share_of_limit(point, report), sizes.binding == p ? "binds" : ""});
  }
  if (!sizes.binding) {
    for (std::vector<std::string>& row : rows) row.resize(row.size() - 2);
  }
  const bool by_time = report.frontier && report.frontier->keep_cost;
  const Table table{sizes.binding ? "lrrrrrl" : "lrrrr", std::move(rows)};
  return fmt::format("\nSEVERAL SIZES\n{}\n{}", show_sizes_search(report, by_time), table_text(table));
}

}  // namespace fxcut
