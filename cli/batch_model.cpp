#include "cli/batch_model.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/batch_items.h"
#include "frontier/recompute_problem.h"
#include "model/split_budget.h"
#include "partition/partition.h"
#include "partition/trace_frontier.h"
#include "settings/memory_limit.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

using Json = nlohmann::json;

void refuse_other_limits(const std::vector<WorkItem>& items, const Settings& batch) {
  for (const WorkItem& item : items) {
    const Settings& own = item.instructions->settings;
    if (own.peak_bytes_limit) {
      throw Failure(ExitStatus::Usage, "--model splits a limit on saved bytes: a limit on the peak cannot be combined with it",
                    "use --saved-bytes instead");
    }
    if (own.compress != Compress::None) {
      throw Failure(ExitStatus::Usage, "--model splits a limit by what recomputing costs: compress cannot be combined with it",
                    "drop compress, or --model and limit each graph");
    }
    if (own.saved_bytes_limit == batch.saved_bytes_limit) continue;
    throw Failure(ExitStatus::Usage,
                  fmt::format("'{}' has its own limit on saved bytes, {}, but --model splits one over all graphs",
                              item.name, own.saved_bytes_limit ? own.saved_bytes_limit->text : ""),
                  "remove saved_bytes_limit from the manifest");
  }
}

std::string trace(const WorkItem& item, JointGraph joint) {
  const auto& [settings, policies] = *item.instructions;
  Json points = Json::array();
  for (const TracedPoint& traced : trace_frontier(std::move(joint), settings, estimator_of_frontier(settings), policies)) {
    const FrontierPoint& point = traced.choice;
    points.push_back({point.saved_bytes, point.recompute_cost, point.corner});
  }
  return points.dump();
}

Frontier frontier_in(const std::string& text) {
  Frontier frontier;
  for (const Json& row : Json::parse(text)) {
    FrontierPoint point;
    point.saved_bytes = row[0].get<std::int64_t>();
    point.recompute_cost = row[1].get<double>();
    point.corner = row[2].get<bool>();
    frontier.push_back(point);
  }
  return frontier;
}

void set_limit(WorkItem& item, const std::optional<MemoryLimit>& limit) {
  auto own = std::make_shared<Instructions>(*item.instructions);
  own->settings.saved_bytes_limit = limit;
  item.instructions = std::move(own);
}

}  // namespace

ModelBudget split_model_budget(std::vector<WorkItem>& items, const Settings& settings, std::size_t jobs, std::ostream& err) {
  refuse_other_limits(items, settings);
  ModelBudget budget;
  const std::optional<MemoryLimit>& limit = settings.saved_bytes_limit;
  if (!limit || limit->is_least) return budget;  // each graph's own minimum

  std::vector<Frontier> frontiers(items.size());
  budget.stopped_by =
      work_on_each(items, jobs, "traced", err, trace, [&](std::size_t item, const std::string& answer) {
        frontiers[item] = frontier_in(answer);
      });
  if (budget.stopped_by != 0) return budget;

  const auto split = split_budget(frontiers, limit->bytes);
  if (!split) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("the graphs of the model together save at least {}, more than the limit of {}",
                              show_bytes_apart(least_bytes(frontiers), limit->bytes), limit->text),
                  "raise the limit, or use --saved-bytes least");
  }
  budget.limit_bytes = limit->bytes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    budget.shares.emplace_back();
    if (items[i].failure) continue;
    if (frontiers[i].empty()) {
      set_limit(items[i], std::nullopt);  // it saves nothing that could be recomputed
      continue;
    }
    budget.shares.back() = split->limits[i];
    set_limit(items[i], limit_of_bytes(*budget.shares.back()));
  }
  return budget;
}

}  // namespace fxcut
