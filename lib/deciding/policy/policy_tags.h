// Tags for the partitioners, from the resolved policy of each node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/rule_verdicts.h"
#include "policy/resolve_policies.h"

namespace fxcut {

// The policy of one node so far, while the levels are gone through.
struct ResolvedPolicy {
  std::optional<Verdict> winner;  // none while no level has a verdict
  std::vector<Verdict> overrode;  // all other verdicts, outermost first

  bool is(CheckpointPolicy policy) const { return winner && winner->checkpoint_policy == policy; }
  bool is_must() const { return winner && fxcut::is_must(winner->checkpoint_policy); }
  bool keeps() const { return winner && fxcut::keeps(winner->checkpoint_policy); }
};

// The graph's nodes as the policies see them.
struct TaggedSubjects {
  std::vector<bool> is_subject;               // by node, whether policies apply to it
  std::vector<std::string> naming_operators;
  std::vector<NodeId> same;                   // by node, the node of its value (policy/names.h)
  std::vector<NodeId> wholes;                 // by node, the owner of its memory (policy/names.h)
};

// Tags the graph's nodes: see apply_policies. `resolved` is by node.
PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<PolicySource> sources,
                        std::vector<ResolvedPolicy> resolved);

}  // namespace fxcut
