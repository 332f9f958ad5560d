// The figures by which decisions on a graph are compared: the same as in a report, found in less time.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/size.h"
#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "graph/int128.h"
#include "policy/policy_stack.h"
#include "report/report.h"
#include "settings/settings.h"
#include "soundness/unsound.h"

namespace fxcut {

struct DecisionEffect {
  std::int64_t held_bytes = 0;        // totals.saved_bytes_not_static; where limits_count_forms() totals.compressed.held_bytes
  Int128 recomputed_flops = 0;        // totals.recomputed_flops
  double recomputed_ms = 0;           // run_time.recomputed_ms
  double step_ms = 0;                 // run_time.step_ms
  std::vector<UnsoundValue> unsound;
};

// Whether limits of saved bytes are for the values as they cross: fxcut's own forms of fewer bits count, PyTorch's do not.
bool limits_count_forms(const Settings& settings, const PolicyStack& policies);

// Without step_ms. `joint` is normalised, `storages` are those of the graph as read, `settings` name the device, `unsound` is
// from find_unsound(), and `counts_forms` what limits_count_forms() says.
DecisionEffect effect_of(const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                         const Finished& finished, const Settings& settings, const std::vector<Unsound>& unsound,
                         bool counts_forms);

DecisionEffect effect_of(const Report& report);

}  // namespace fxcut
