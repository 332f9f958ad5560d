#include "cost/runtime_estimator.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/flops.h"
#include "cost/runtime.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

std::optional<double> by_flops(const Analysis& a, NodeId id) {
  return static_cast<double>(estimate_flops(a.graph(), a.node(id), a.joint.torch.release));
}

std::optional<double> all_the_same(const Analysis&, NodeId) { return 1; }

std::optional<double> by_roofline(const Analysis& a, NodeId id) {
  return runtime_ms(a.graph(), a.node(id), a.settings, a.joint.torch.release);
}

std::optional<double> by_profile(const Analysis& a, NodeId id) { return a.node(id).meta.runtime_ms; }

Failure not_measured(const std::vector<std::string>& names, std::size_t candidates) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the run time estimator 'profile' needs meta.runtime_ms of all {} values that the memory "
                             "budget may have recomputed, and {} {} none: {}",
                             candidates, names.size(), names.size() == 1 ? "has" : "have", list_names(names)),
                 "measure them, or set activation_memory_budget_runtime_estimator to flops or roofline");
}

}  // namespace

const std::vector<RuntimeEstimatorRow>& runtime_estimators() {
  static const std::vector<RuntimeEstimatorRow> estimators = {
      {"flops", by_flops},
      {"testing", all_the_same},
      {"roofline", by_roofline},
      {"profile", by_profile},
  };
  return estimators;
}

std::vector<double> estimate_runtimes(const Analysis& a, const std::vector<NodeId>& nodes) {
  const auto& estimators = runtime_estimators();
  const auto chosen = std::find_if(estimators.begin(), estimators.end(), [&](const RuntimeEstimatorRow& row) {
    return row.name == a.settings.activation_memory_budget_runtime_estimator;
  });
  if (chosen == estimators.end()) throw InternalError("the settings name an unknown run time estimator");
  std::vector<double> runtimes;
  std::vector<std::string> not_told;
  for (const NodeId id : nodes) {
    const std::optional<double> runtime = chosen->estimate(a, id);
    if (!runtime) not_told.push_back(fmt::format("'{}'", a.node(id).name));
    runtimes.push_back(runtime.value_or(0));
  }
  if (!not_told.empty()) throw not_measured(not_told, nodes.size());
  return runtimes;
}

}  // namespace fxcut
