#include "report/describe_quality.h"

#include <fmt/format.h>

#include <string_view>

#include "cost/estimators.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// A share of the bound says little where the bound is small beside the step.
std::string show_time_above(double above_ms, double step_ms) {
  const std::string time = show_cost(above_ms, "ms");
  return step_ms > 0 ? fmt::format("{}, {:.2g} % of a step,", time, 100 * above_ms / step_ms) : time;
}

}  // namespace

std::string show_above(Int128 run_cost, Int128 bound, double step_ms, const Settings& settings) {
  const Estimator& estimator = estimator_of_frontier(settings);
  const double above = static_cast<double>(run_cost - bound) / estimator.per_shown_unit;
  if (estimator.shown_unit == "ms") return show_time_above(above, step_ms);
  const double share = gap(run_cost, bound);
  return share < 1 ? fmt::format("{:.2g} %", 100 * share) : show_cost(above, estimator.shown_unit);
}

std::string describe_quality(const Report& report, Int128 bound) {
  const FrontierFacts& facts = *report.frontier;
  const std::string_view least = minimised_by(facts);
  if (facts.is_proven) return fmt::format("the least {} within it, proven", least);
  const double step_ms = report.run_time ? report.run_time->step_ms : 0;
  const std::string above = show_above(facts.run_cost, bound, step_ms, report.settings);
  return fmt::format("at most {} above the least {} within it", above, least);
}

}  // namespace fxcut
