#include "step/whole_step.h"

#include <utility>
#include <variant>

#include "step/join_partition.h"
#include "step/rematerialize_by_tags.h"

namespace fxcut {

std::optional<Graph> rematerialized_by_pytorch(const JointGraph& joint, const Settings& settings) {
  if (!joint.step || settings.partitioner == Partitioner::MinCut) return std::nullopt;
  auto outcome = rematerialize_by_tags(*joint.step);
  if (auto* result = std::get_if<Graph>(&outcome)) return std::move(*result);
  if (settings.partitioner == Partitioner::Tags) throw std::get<Failure>(std::move(outcome));
  return std::nullopt;
}

Graph whole_step(const WholeStep& step, const Finished& finished, const std::vector<CarriedValue>& carried,
                 const std::optional<Graph>& by_pytorch) {
  if (by_pytorch && finished.offloads.empty()) return *by_pytorch;
  return join_partition(step, finished.graphs, carried);
}

}  // namespace fxcut
