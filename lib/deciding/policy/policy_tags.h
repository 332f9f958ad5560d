// From what stands for each node to the tags that the partitioners heed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/rule_verdicts.h"
#include "policy/resolve_policies.h"

namespace fxcut {

// What stands for one node while the levels are gone through.
struct ResolvedPolicy {
  std::optional<Verdict> winner;  // nothing while nobody has an opinion
  std::vector<Verdict> overrode;  // all else that was said, outermost first

  bool is(CheckpointPolicy policy) const { return winner && winner->checkpoint_policy == policy; }
  bool is_must() const { return winner && fxcut::is_must(winner->checkpoint_policy); }
  bool keeps() const { return winner && fxcut::keeps(winner->checkpoint_policy); }
};

// What is known of the graph that is tagged.
struct TaggedSubjects {
  std::vector<bool> is_subject;               // by node, whether policies reach it
  std::vector<std::string> naming_operators;
  std::vector<NodeId> same;                   // by node, whose value it is (policy/names.h)
  std::vector<NodeId> wholes;                 // by node, whose memory it is in (policy/names.h)
};

// Tags the graph's nodes: see apply_policies. `standings` are by node.
PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<PolicySource> sources,
                        std::vector<ResolvedPolicy> resolved);

}  // namespace fxcut
