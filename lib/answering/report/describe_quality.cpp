#include "report/describe_quality.h"

#include <fmt/format.h>

#include <string_view>

#include "cost/estimators.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// A share of the bound says little where the bound is small beside the step.
std::string show_time_above(double above_ms, const Report& report) {
  const std::string time = show_cost(above_ms, "ms");
  if (!report.run_time || report.run_time->step_ms <= 0) return time;
  return fmt::format("{}, {:.2g} % of a step,", time, 100 * above_ms / report.run_time->step_ms);
}

std::string show_above(const Report& report, Int128 bound) {
  const FrontierFacts& facts = *report.frontier;
  const Estimator& estimator = estimator_of_frontier(report.settings);
  const double above = static_cast<double>(facts.run_cost - bound) / estimator.per_shown_unit;
  if (estimator.shown_unit == "ms") return show_time_above(above, report);
  const double share = gap(facts.run_cost, bound);
  return share < 1 ? fmt::format("{:.2g} %", 100 * share) : show_cost(above, estimator.shown_unit);
}

}  // namespace

std::string describe_quality(const Report& report, Int128 bound) {
  const FrontierFacts& facts = *report.frontier;
  const std::string_view least = minimised_by(facts);
  if (facts.is_proven) return fmt::format("the least {} within it, proven", least);
  return fmt::format("at most {} above the least {} within it", show_above(report, bound), least);
}

}  // namespace fxcut
