// From what stands for each node to the tags that the partitioners heed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_levels.h"
#include "policy/resolve_policies.h"

namespace fxcut {

// What stands for one node while the levels are gone through.
struct Standing {
  CheckpointPolicy policy = CheckpointPolicy::PreferSave;
  const Level* level = nullptr;  // null while nobody has an opinion
  std::string rule;
  std::vector<std::string> overrode;
  std::vector<std::pair<CheckpointPolicy, std::string>> musts;  // all that were said, each described

  std::string describe() const;  // "MUST_SAVE of 'base' (rule 2: op aten.mm.*)"
};

// What is known of the graph that is tagged.
struct TaggedSubjects {
  std::vector<bool> is_subject;               // by node, whether policies reach it
  std::vector<std::string> naming_operators;
  std::vector<NodeId> same;                   // by node, whose value it is (policy/names.h)
  std::vector<NodeId> wholes;                 // by node, whose memory it is in (policy/names.h)
};

// Tags the graph's nodes: see apply_policies. `standings` are by node.
PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Standing> standings);

}  // namespace fxcut
