#include "pipeline/decision.h"

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "replay/replay.h"
#include "soundness/find_repair.h"
#include "soundness/find_unsound.h"

namespace fxcut {
namespace {

bool is_repaired(const Decision& decision, const Settings& settings) {
  if (decision.choice.decided_by<ByOther>()) return false;
  const bool is_own = decision.choice.decided_by<ByFrontier>();
  return settings.sound == Soundness::Always || (settings.sound == Soundness::Own && is_own);
}

// Where the other values stay in their order, which need not be that of execution: symbols that the default partitioner saves.
void insert_in_order(std::vector<NodeId>& saved, NodeId id) {
  saved.insert(std::find_if(saved.begin(), saved.end(), [&](NodeId other) { return other > id; }), id);
}

// Saves the values and states of a repair; returns whether any of them is new.
bool apply(Decision& decision, const Repair& repair) {
  SavedValues& choice = decision.choice;
  bool any = false;
  for (const NodeId id : repair.late) {
    if (!choice.repaired.contains(id)) any = std::erase(choice.saved, id) > 0 || any;
  }
  for (const NodeId id : repair.saved) {
    const bool is_saved_anyway = std::ranges::find(choice.saved, id) != choice.saved.end();
    if (is_saved_anyway || !choice.repaired.insert(id).second) continue;
    if (saves_inputs(choice)) choice.saved.push_back(id);
    else insert_in_order(choice.saved, id);
    any = true;
  }
  for (const NodeId id : repair.states) {
    if (!choice.states.insert(id).second) continue;
    decision.joint.graph[id].meta.recompute = CheckpointPolicy::PreferRecompute;
    decision.needs.has_random_regions = any = true;
  }
  return any;
}

}  // namespace

ForwardBackward plan(const Decision& decision) {
  try {
    return plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved);
  } catch (const Failure& failure) {
    if (!decision.choice.decided_by<ByOther>()) throw;
    throw saves_too_little(failure);
  }
}

Decision make_sound(Decision decision, const Settings& settings) {
  if (!is_repaired(decision, settings) || !has_hazards(decision.joint)) return decision;
  while (true) {
    const ForwardBackward sides = plan(decision);
    const Ordered ordered = order(sides, decision.joint, settings, decision.needs);
    const std::vector<Unsound> unsound = find_unsound(decision.joint, sides, ordered.graphs);
    if (!apply(decision, find_repair(decision.joint, decision.roles, sides, unsound, settings))) return decision;
  }
}

}  // namespace fxcut
