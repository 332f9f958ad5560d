// Resolves a stack of policies to one decision for each node.
//
// Each operation of the forward begins with PREFER_SAVE. From the outermost level, the graph's own tags, to the
// innermost, each verdict replaces the one before it, except that a MUST overrides any PREFER. Two different MUSTs are
// in conflict. For a node that represents merged repeats, the strongest of a level's verdicts on them counts: a refusal
// by name, then a MUST before a PREFER, keeping before recomputing, and the first.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "policy/match_policies.h"
#include "policy/requested_forms.h"
#include "policy/rule_verdicts.h"
#include "settings/settings.h"

namespace fxcut {

// The policy and rule that decided on a node.
struct PolicyReason {
  std::string policy;
  std::string rule;
  CheckpointPolicy checkpoint_policy = CheckpointPolicy::PreferSave;
  std::vector<std::string> overrode;  // "PREFER_SAVE of 'base' (rule 2)", outermost first
};

// The reasons of all nodes that policies match. Stored as numbers and formatted on demand, since thousands of policies
// may match each node.
class PolicyReasons {
 public:
  PolicyReasons() = default;
  explicit PolicyReasons(std::vector<PolicySource> sources) : sources_(std::move(sources)) {}

  // `add` is for a node that is matched itself; `add_follower` for one that follows another, such as "a view of 'x'".
  void add(const std::string& node, const Verdict& winner, std::vector<Verdict> overrode);
  void add_follower(const std::string& node, const Verdict& winner, std::string of, std::vector<Verdict> overrode = {});
  void erase(const std::string& node) { of_.erase(node); }

  bool empty() const { return of_.empty(); }
  std::optional<PolicyReason> of(const std::string& node) const;

 private:
  struct Kept {
    Verdict winner;
    std::vector<Verdict> overrode;
    std::string follows;  // description; empty if it does not follow another
  };

  std::vector<PolicySource> sources_;
  std::unordered_map<std::string, Kept> of_;
};

struct PolicyOutcome {
  PolicyReasons reasons;
  RequestedForms forms;               // that COMPRESS asks for
  std::vector<std::string> warnings;  // of rules that were not obeyed, or not literally
  bool offloads = false;              // some value is to be offloaded
  bool compresses = false;            // the replayed decision has saved values cross in fewer bits
};

// Tags the nodes of the forward by the policies' verdicts in `matched`, and has their meta say which forms are asked for. The
// policy of a name or a view is tagged at the node that computes its value; the names and views themselves are recomputed, which
// is free. Offloaded values are tagged to be saved, and marked. The settings may drop the graph's own tags (ignore_tags) and its
// should_offload. Policies that ask for forms only leave all tags as they are. Throws Failure (NoPartition) that lists the
// conflicts: both policies, both rules and the node.
PolicyOutcome apply_policies(JointGraph& joint, const MatchedPolicies& matched, const Settings& settings);

}  // namespace fxcut
