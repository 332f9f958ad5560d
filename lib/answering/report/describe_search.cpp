#include "report/describe_parts.h"

#include <fmt/format.h>

namespace fxcut {

void describe_search(Report& report) {
  if (!report.frontier) return;
  if (report.frontier->ended_by == EndedBy::Time) {
    report.warnings.push_back(fmt::format(
        "the search was cut short by the time limit of {} s: another machine, or this one under another load, may "
        "find another answer",
        report.settings.budget_time_limit.value_or(0)));
  }
  if (report.frontier->ended_by == EndedBy::Interrupt) {
    report.warnings.push_back("the search was interrupted: this is the best that it had found");
  }
}

}  // namespace fxcut
