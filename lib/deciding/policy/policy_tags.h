// From what stands for each node to the tags that the partitioners heed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/opinions.h"
#include "policy/resolve_policies.h"

namespace fxcut {

// What stands for one node while the levels are gone through.
struct Standing {
  std::optional<Saying> stands;  // nothing while nobody has an opinion
  std::vector<Saying> overrode;  // all else that was said, outermost first

  bool says(CheckpointPolicy policy) const { return stands && stands->says == policy; }
  bool is_must() const { return stands && fxcut::is_must(stands->says); }
  bool keeps() const { return stands && fxcut::keeps(stands->says); }
};

// What is known of the graph that is tagged.
struct TaggedSubjects {
  std::vector<bool> is_subject;               // by node, whether policies reach it
  std::vector<std::string> naming_operators;
  std::vector<NodeId> same;                   // by node, whose value it is (policy/names.h)
  std::vector<NodeId> wholes;                 // by node, whose memory it is in (policy/names.h)
};

// Tags the graph's nodes: see apply_policies. `standings` are by node.
PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<Speaker> speakers,
                        std::vector<Standing> standings);

}  // namespace fxcut
