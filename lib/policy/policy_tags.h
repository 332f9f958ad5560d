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

// Tags the graph's nodes: see apply_policies. By node: whether policies reach it, whose value it is (policy/names.h), what
// stands for it.
PolicyOutcome tag_nodes(Graph& graph, const std::vector<bool>& is_subject, const std::vector<NodeId>& same,
                        std::vector<Standing> standings);

}  // namespace fxcut
