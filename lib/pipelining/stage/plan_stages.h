// A decision for each stage of a pipeline, so that every rank fits in its memory and the step takes as little time as possible.
//
// The peak of a rank depends only on the decisions of its own stages, since the schedule alone determines what is in flight. A
// slower stage never makes the step faster. So if each rank has one stage, its fastest decision that fits is the best, whatever
// the others do. If ranks have several, decisions are exchanged: starting from those that save the least, in each round each rank
// takes the decisions for one or two of its stages that make the step shortest, and among equals those with the least work on the
// ranks, until none changes. If some choices hold the least between the parts of a backward (split/choose_held.h), the search
// runs again from the result without them, so that more choices never make a plan worse. The bound gives each stage the least of
// its times among the decisions that fit beside the least bytes of all others of its rank, time by time and byte by byte: no plan
// is faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedule/schedule.h"
#include "stage/stage_price.h"

namespace fxcut {

struct StagePlan {
  std::vector<std::size_t> picked;  // by stage: the position of its decision among its choices
  double least_step_ms = 0;         // no fitting combination of these decisions has a shorter step
};

// `choices`: by stage, at least one each. `links`: those that count. Throws Failure (NoPartition) naming each rank that does not
// fit, with the least that it needs among these choices, if that is known; and what simulate() throws.
StagePlan plan_stages(const Schedule& schedule, const std::vector<std::vector<StageChoice>>& choices, std::int64_t limit_bytes,
                      const std::vector<StageLink>& links = {});

}  // namespace fxcut
