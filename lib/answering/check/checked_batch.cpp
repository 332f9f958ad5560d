#include "check/checked_batch.h"

#include <algorithm>

namespace fxcut {
namespace {

void add_to_total(const BatchTotal& total, const ComparedReport& report, Wide& sum) {
  const auto is_it = [&](const FigureChange& figure) { return figure.name == total.measure->figure; };
  const Wide value = std::find_if(report.figures.begin(), report.figures.end(), is_it)->after;
  sum = total.measure->adds_up ? sum_at_most(sum, value) : std::max(sum, value);
}

}  // namespace

std::vector<BatchTotal> no_totals(bool has_baseline) {
  std::vector<BatchTotal> totals;
  for (const MeasureRow& measure : measures()) {
    totals.push_back({&measure, 0, has_baseline ? std::optional<Wide>(0) : std::nullopt});
  }
  return totals;
}

void add_graph(const ComparedReport& report, std::vector<BatchTotal>& totals) {
  for (BatchTotal& total : totals) add_to_total(total, report, total.value);
}

void add_baseline(const ComparedReport& report, std::vector<BatchTotal>& totals) {
  for (BatchTotal& total : totals) add_to_total(total, report, *total.before);
}

}  // namespace fxcut
