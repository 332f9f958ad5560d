#include "cli/batch_ranks.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <sstream>

#include "cli/batch_items.h"
#include "cli/decision_options.h"
#include "cli/search_clock.h"
#include "partition/partition.h"
#include "ranks/canonical_order.h"
#include "ranks/common_decision.h"

namespace fxcut {
namespace {

void refuse_other_choices(const std::vector<WorkItem>& items) {
  for (const WorkItem& item : items) {
    const Settings& own = item.instructions->settings;
    if (own.peak_bytes_limit) {
      throw Failure(ExitStatus::Usage, "--ranks compares saved values: a limit on the peak cannot be combined with it",
                    "use --saved-bytes instead");
    }
    if (own.compress != Compress::None) {
      throw Failure(ExitStatus::Usage, "--ranks has all save the same values, as they are: compress cannot be combined with it",
                    "remove one of the two");
    }
  }
}

std::string choose(const WorkItem& item, JointGraph joint) {
  const auto& [settings, policies] = *item.instructions;
  std::ostringstream unread;
  const Decision decision = decide(std::move(joint), settings, policies, start_clock(settings, unread));
  return rank_choice_json(choice_of(decision, canonical_order(decision.joint.graph), settings));
}

}  // namespace

RankAgreement agree_ranks(std::vector<WorkItem>& items, std::size_t jobs, std::ostream& err) {
  refuse_other_choices(items);
  std::vector<std::string> names;
  for (const WorkItem& item : items) names.push_back(item.name);
  const std::vector<RankSet> sets = rank_sets(names);

  RankAgreement agreement;
  std::vector<std::optional<RankChoice>> choices(items.size());
  agreement.stopped_by =
      work_on_each(items, jobs, "decided", err, choose, [&](std::size_t item, const std::string& answer) {
        choices[item] = rank_choice_in(answer);
      });
  if (agreement.stopped_by != 0) return agreement;

  std::vector<std::optional<std::size_t>> adopted(items.size());
  for (const RankSet& set : sets) agreement.sets.push_back(agree_in_set(set, names, choices, adopted));
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (adopted[item]) items[item].adopted = std::make_shared<const RankChoice>(*choices[*adopted[item]]);
  }
  return agreement;
}

}  // namespace fxcut
