// What decisions on a graph are compared by, without a report on each: the same figures as the report's, found in less time.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/size.h"
#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "graph/wide.h"
#include "report/report.h"
#include "soundness/unsound.h"

namespace fxcut {

struct DecisionEffect {
  std::int64_t held_bytes = 0;        // totals.saved_bytes_not_static
  Wide recomputed_flops = 0;          // totals.recomputed_flops
  double recomputed_ms = 0;           // run_time.recomputed_ms
  double step_ms = 0;                 // run_time.step_ms
  std::vector<UnsoundValue> unsound;
};

// Without step_ms. `joint` is normalised, `storages` are of the graph as it was read, `settings` name the device, `unsound` is
// find_unsound()'s.
DecisionEffect effect_of(const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                         const Finished& finished, const Settings& settings, const std::vector<Unsound>& unsound);

DecisionEffect effect_of(const Report& report);

}  // namespace fxcut
