#include "report/varying_sizes.h"

#include <fmt/format.h>

#include "report/report.h"
#include "solve/frontier_facts.h"
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

std::string show_sizes_quality(const VaryingSizes& sizes) {
  if (!sizes.quality) return "how near it is to the optimum is not known";
  const SizesQuality& quality = *sizes.quality;
  if (quality.run_cost == quality.bound) return "no decision recomputes less, proven";
  const double above = gap(quality.run_cost, quality.bound);
  return above < 1 ? fmt::format("at most {:.2g} % above the least recomputation", 100 * above)
                   : "far above the bound of the least recomputation";
}

std::string show_sizes_search(const VaryingSizes& sizes, bool is_compared_by_time) {
  const std::string at = show_hints(sizes.points[sizes.decided_at].hints);
  if (!sizes.binding) return fmt::format("one decision for these, made at {}, which the other figures are of", at);
  return fmt::format("one decision within the limit at each, with the {} {}: {}\nthe other figures are at {}",
                     is_compared_by_time ? "fastest step" : "least recomputation",
                     sizes.least_for == LeastFor::Mean ? "on average" : "at the largest", show_sizes_quality(sizes), at);
}

}  // namespace

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
  return fmt::format("\nSEVERAL SIZES\n{}\n{}", show_sizes_search(sizes, by_time), table_text(table));
}

}  // namespace fxcut
