// Results that need all graphs of a batch: the budget of a model, the agreement of ranks.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "batch/output_tree.h"
#include "cli/batch_model.h"
#include "cli/batch_ranks.h"
#include "cli/batch_request.h"

namespace fxcut {

struct BatchOverview {
  ModelBudget budget;
  RankAgreement agreement;

  // The signal that stopped the look at all graphs, or 0.
  int stopped_by() const { return budget.stopped_by != 0 ? budget.stopped_by : agreement.stopped_by; }
};

// Examines all items if the request has --model or --ranks, and gives each its limit or its decision.
BatchOverview look_at_all(const BatchRequest& request, std::vector<WorkItem>& items, std::ostream& err);

// Puts model.json or ranks.json in place, and prints their contents as a table. `lines` are those of the results.
void put_overview(const BatchRequest& request, const BatchOverview& overview, const std::vector<std::string>& lines,
                  const OutputTree& tree, std::ostream& err);

}  // namespace fxcut
