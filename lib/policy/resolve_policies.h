// From a stack of policies to one decision a node.
//
// For each operation of the forward PREFER_SAVE stands first. From the outermost level, which are the graph's own tags, to
// the innermost each that has an opinion replaces what stands, except that a MUST stands against any PREFER. Two MUSTs
// that differ contradict each other.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "policy/names.h"
#include "policy/policy_stack.h"
#include "policy/settings.h"

namespace fxcut {

struct PolicyOptions {
  std::vector<std::string> naming_operators;
  bool ignore_tags = false;         // drop the graph's own tags
  bool keep_offload_marks = false;  // the graph's own should_offload still holds
};

// Why a node is kept, or not, as a policy wants it.
struct PolicyReason {
  std::string policy;
  std::string rule;
  CheckpointPolicy says = CheckpointPolicy::PreferSave;
  std::vector<std::string> overrode;  // "PREFER_SAVE of 'base' (rule 2)", outermost first
};

struct PolicyOutcome {
  std::unordered_map<std::string, PolicyReason> reasons;  // by name of the node
  std::vector<std::string> warnings;                      // what was told, but not done, or not as it was told
  bool offloads = false;                                  // some value is wanted on the host
};

PolicyOptions policy_options(const Settings& settings);

// Tags the nodes of the forward as the stack wants. What a name or a view stands for is tagged at the node that computes it;
// the names and views themselves are recomputed, which is free. Offloaded values are tagged to be saved, and marked.
// Throws Failure (NoPartition) that lists every contradiction: both policies, both rules and the node.
PolicyOutcome apply_policies(JointGraph& joint, const PolicyStack& stack, const PolicyOptions& options);

}  // namespace fxcut
