#include "partition/decision.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "finish/finish.h"
#include "offload/candidates.h"
#include "partition/replay.h"
#include "soundness/find_repair.h"
#include "soundness/find_unsound.h"

namespace fxcut {
namespace {

bool is_repaired(const Decision& decision, const Settings& settings) {
  if (decision.choice.decided_by<ByOther>()) return false;
  const bool is_own = decision.choice.decided_by<ByFrontier>();
  return settings.sound == Soundness::Always || (settings.sound == Soundness::Own && is_own);
}

// Inserts the node without reordering the others, which need not be in execution order: symbols saved by the default partitioner.
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
  for (const NodeId id : repair.effects) any = choice.effects.insert(id).second || any;
  for (const NodeId id : repair.states) {
    if (!choice.states.insert(id).second) continue;
    decision.joint.graph[id].meta.recompute = CheckpointPolicy::PreferRecompute;
    decision.needs.has_random_regions = any = true;
  }
  return any;
}

void set_effects(Decision& decision) {
  for (const NodeId id : decision.choice.effects) decision.needs.effects.insert(decision.joint.graph[id].name);
}

void set_copies(Decision& decision) {
  for (const auto& [id, copy] : decision.choice.copies) decision.joint.graph[id].meta.host_copy = copy;
}

// The storages that are misread.
std::set<std::int64_t> misread_storages(const Graph& joint, const std::vector<Unsound>& faults) {
  std::set<std::int64_t> storages;
  for (const Unsound& one : faults) {
    if (const auto storage = joint[one.operand.value_or(one.node)].storage()) storages.insert(*storage);
  }
  return storages;
}

// Copies the values in such storages later, or, if they are already copied late, not at all unless they must be; returns whether
// any copy has changed.
bool move_copies(Decision& decision, const std::set<std::int64_t>& storages, const std::vector<OffloadCandidate>& offloads) {
  std::set<std::string_view> names;
  for (const OffloadCandidate& one : offloads) {
    if (one.refusal == OffloadRefusal::None) names.insert(one.name);
  }
  bool any = false;
  for (std::size_t i = 0; i < decision.joint.graph.size(); ++i) {
    const Node& node = decision.joint.graph.nodes[i];
    const auto storage = node.storage();
    if (!storage || !storages.contains(*storage) || !names.contains(node.name)) continue;
    const OffloadRequest request = node.meta.offload_request;
    const bool is_must = request == OffloadRequest::Must || request == OffloadRequest::Permitted;
    if (node.meta.host_copy == HostCopy::AfterLastWrite && is_must) continue;
    decision.choice.copies[node_id(i)] =
        node.meta.host_copy == HostCopy::AfterLastUse ? HostCopy::AfterLastWrite : HostCopy::Never;
    any = true;
  }
  set_copies(decision);
  return any;
}

// The faults that copies to the host add to those of the partition without.
std::vector<Unsound> faults_of_copies(const std::vector<Unsound>& without, std::vector<Unsound> with) {
  std::erase_if(with, [&](const Unsound& one) { return std::ranges::find(without, one) != without.end(); });
  return with;
}

// The partition without copies to the host.
Decision save_what_is_needed(Decision decision, const Settings& settings) {
  while (true) {
    const ForwardBackward sides = plan(decision);
    const Ordered ordered = order(sides, decision.joint, settings, decision.needs);
    const std::vector<Unsound> unsound = find_unsound(decision.joint, sides, ordered.graphs);
    if (!apply(decision, find_repair(decision.joint, decision.roles, sides, unsound, settings))) return decision;
    set_effects(decision);
  }
}

Decision copy_in_time(Decision decision, const Settings& settings) {
  const ForwardBackward sides = plan(decision);
  const std::vector<Unsound> without =
      find_unsound(decision.joint, sides, order(sides, decision.joint, settings, decision.needs).graphs);
  while (true) {
    const Finished finished =
        finish(order(sides, decision.joint, settings, decision.needs), sides, decision.joint, settings, decision.needs);
    const std::vector<Unsound> faults = faults_of_copies(without, find_unsound(decision.joint, sides, finished.graphs));
    const std::set<std::int64_t> storages = misread_storages(decision.joint.graph, faults);
    if (storages.empty() || !move_copies(decision, storages, finished.offloads)) return decision;
  }
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
  set_copies(decision);
  set_effects(decision);
  if (!is_repaired(decision, settings) || !has_hazards(decision.joint)) return decision;
  decision = save_what_is_needed(std::move(decision), settings);
  return offloads(settings, decision.needs, decision.joint.torch.release) ? copy_in_time(std::move(decision), settings)
                                                                          : decision;
}

}  // namespace fxcut
