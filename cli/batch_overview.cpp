#include "cli/batch_overview.h"

#include "cli/batch_outcome.h"
#include "cli/narration.h"
#include "cli/program_identity.h"
#include "model/model_report.h"

namespace fxcut {

BatchOverview look_at_all(const BatchRequest& request, std::vector<WorkItem>& items, std::ostream& err) {
  BatchOverview overview;
  if (request.is_model) {
    overview.budget = split_model_budget(items, request.decision.resolve_settings(), jobs_of(request), err);
  }
  if (request.has_ranks) overview.agreement = agree_ranks(items, jobs_of(request), err);
  return overview;
}

void put_overview(const BatchRequest& request, const BatchOverview& overview, const std::vector<std::string>& lines,
                  const OutputTree& tree, std::ostream& err) {
  if (request.is_model) {
    const ModelReport model =
        add_up_model(lines, "results.jsonl", overview.budget.shares, overview.budget.limit_bytes);
    tree.put_file("model.json", model_json(model, kVersion));
    print_message(err, model_table(model));
  }
  if (request.has_ranks) {
    tree.put_file("ranks.json", ranks_json(overview.agreement.sets, kVersion));
    print_message(err, ranks_text(overview.agreement.sets));
  }
}

}  // namespace fxcut
