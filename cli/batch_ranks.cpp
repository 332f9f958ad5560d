#include "cli/batch_ranks.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <sstream>

#include "batch/worker_pool.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/narration.h"
#include "pipeline.h"
#include "ranks/canonical_order.h"
#include "ranks/rank_choice_json.h"

namespace fxcut {
namespace {

void refuse_limits_of_the_peak(const std::vector<WorkItem>& items) {
  for (const WorkItem& item : items) {
    if (item.instructions->settings.peak_bytes_limit.empty()) continue;
    throw Failure(ExitStatus::Usage, "--ranks compares what is saved, and the peak is limited",
                  "give --saved-bytes in its place");
  }
}

// In a process of its own, whose answer is text; none from a graph that fails, which fails once more where it is
// partitioned.
std::string choose(const WorkItem& item, const std::ostream& err) {
  try {
    std::ostringstream told;
    told.copyfmt(err);
    const auto& [settings, policies] = *item.instructions;
    GraphFile file = read_graph_text(item.text ? *item.text : read_text(item.file), item.file, told,
                                     settings.torch_version);
    const Decision decision = decide(std::move(file.joint), settings, policies, start_clock(settings, told));
    return rank_choice_json(choice_of(decision, canonical_order(decision.joint.graph), settings));
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace

RankAgreement agree_ranks(std::vector<WorkItem>& items, std::size_t jobs, std::ostream& err) {
  refuse_limits_of_the_peak(items);
  std::vector<std::string> names;
  for (const WorkItem& item : items) names.push_back(item.name);
  const std::vector<RankSet> sets = rank_sets(names);

  RankAgreement agreement;
  std::vector<std::optional<RankChoice>> choices(items.size());
  ProgressLine progress(err);
  std::size_t decided = 0;
  agreement.stopped_by = run_tasks(
      items.size(), jobs, [&](std::size_t task) { return choose(items[task], err); },
      [&](const TaskOutcome& outcome) {
        if (!outcome.message.empty()) choices[outcome.task] = rank_choice_in(outcome.message);
        progress.show(fmt::format("fxcut: decided {} of {} graphs", ++decided, items.size()));
      });
  progress.clear();
  if (agreement.stopped_by != 0) return agreement;

  std::vector<std::optional<std::size_t>> adopted(items.size());
  for (const RankSet& set : sets) agreement.sets.push_back(agree_in_set(set, names, choices, adopted));
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (adopted[item]) items[item].adopted = std::make_shared<const RankChoice>(*choices[*adopted[item]]);
  }
  return agreement;
}

}  // namespace fxcut
