#include "step/whole_step.h"

#include <utility>
#include <variant>

#include "step/join_partition.h"
#include "step/rematerialize_by_tags.h"

namespace fxcut {

Graph whole_step(const WholeStep& step, const Finished& finished, const std::vector<CarriedValue>& carried, bool by_tags) {
  if (by_tags && finished.offloads.empty()) {
    auto outcome = rematerialize_by_tags(step.graph);
    if (auto* result = std::get_if<Graph>(&outcome)) return std::move(*result);
  }
  return join_partition(step, finished.graphs, carried);
}

}  // namespace fxcut
