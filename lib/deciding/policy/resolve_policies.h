// From what a stack of policies says to one decision a node.
//
// For each operation of the forward PREFER_SAVE stands first. From the outermost level, which are the graph's own tags,
// to the innermost each that has an opinion replaces what stands, except that a MUST stands against any PREFER. Two
// MUSTs that differ contradict each other. Where a node stands for repeats that were merged into it, of a level's
// opinions on them the strongest counts: a refusal by name, then a MUST before a PREFER, to keep
// before to recompute, and the first.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "policy/match_policies.h"
#include "policy/rule_verdicts.h"
#include "settings/settings.h"

namespace fxcut {

// Why a node is kept, or not, as a policy wants it.
struct PolicyReason {
  std::string policy;
  std::string rule;
  CheckpointPolicy checkpoint_policy = CheckpointPolicy::PreferSave;
  std::vector<std::string> overrode;  // "PREFER_SAVE of 'base' (rule 2)", outermost first
};

// The reasons of all nodes of which policies spoke. They are kept as numbers and told on demand, since thousands may have
// spoken of each.
class PolicyReasons {
 public:
  PolicyReasons() = default;
  explicit PolicyReasons(std::vector<PolicySource> sources) : sources_(std::move(sources)) {}

  // Of a node for itself; and of one that goes the way of another, "a view of 'x'", say.
  void add(const std::string& node, const Verdict& winner, std::vector<Verdict> overrode);
  void add_follower(const std::string& node, const Verdict& winner, std::string of);
  void erase(const std::string& node) { of_.erase(node); }

  bool empty() const { return of_.empty(); }
  std::optional<PolicyReason> of(const std::string& node) const;

 private:
  struct Kept {
    Verdict winner;
    std::vector<Verdict> overrode;
    std::string follows;  // in words; empty where it goes its own way
  };

  std::vector<PolicySource> sources_;
  std::unordered_map<std::string, Kept> of_;
};

struct PolicyOutcome {
  PolicyReasons reasons;
  std::vector<std::string> warnings;  // what was told, but not done, or not as it was told
  bool offloads = false;              // some value is wanted on the host
};

// Tags the nodes of the forward as the policies want, of which `said` holds what they say. What a name or a view stands
// for is tagged at the node that computes it; the names and views themselves are recomputed, which is free. Offloaded
// values are tagged to be saved, and marked. The settings may drop the graph's own tags (ignore_tags) and its own
// should_offload. Throws Failure (NoPartition) that lists the contradictions: both policies, both rules and the node.
PolicyOutcome apply_policies(JointGraph& joint, const MatchedPolicies& matched, const Settings& settings);

}  // namespace fxcut
