// The time and memory of a pipeline stage's forward and backward for a microbatch, under a decision on its graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/int128.h"
#include "partition/partition.h"
#include "policy/policy_stack.h"
#include "report/optimizer_states.h"
#include "schedule/rank_memory.h"
#include "schedule/simulate.h"
#include "settings/settings.h"
#include "split/choose_held.h"

namespace fxcut {

struct StageChoice {
  std::optional<std::int64_t> limit_bytes;  // of saved bytes, under which it was decided; unset: by the settings
  std::int64_t saved_bytes = 0;             // activations held: Totals::held_bytes() of the report
  Int128 recomputed_flops = 0;              // totals.recomputed_flops
  double recomputed_ms = 0;                 // run_time.recomputed_ms
  Holding holding = Holding::AsNeeded;      // of a backward in two parts
  StageTimes times;
  StageBytes bytes;
};

// The parts that are priced besides forward and backward.
struct Pricing {
  std::optional<Holding> holding;     // of a backward in two parts; unset: it is one
  std::optional<Optimizer> optimizer; // whose states count
};

// The price of the partition. Forward and backward take the step_ms of the report's run_time, memory is the report's too, of
// compiled code if that is predicted, with the stage's inputs. A backward in two parts has the graphs that fxcut split-backward
// makes (split/split_backward.h): the time and the memory of each, and between them only what the second takes; then all memory
// is that of operators (memory/lifetimes.h). Throws what split_backward does.
StageChoice price_stage(const Partition& partition, const Pricing& pricing);

// The prices of decisions along the trade-off of `joint` (frontier/frontier.h), by rising bytes: the one that saves the least,
// the one that recomputes the least, and between them those nearest to even steps of bytes, `most` in all. A graph without a
// backward has one. With Holding::Least each of them appears twice if it then holds less: with Holding::AsNeeded and with
// Holding::Least.
std::vector<StageChoice> stage_choices(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                       const Pricing& pricing, std::size_t most);

}  // namespace fxcut
