// What each level of a stack says of each node.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy_match.h"
#include "policy/policy_stack.h"

namespace fxcut {

// What one level says of one node, and which of its rules says it.
struct Opinion {
  CheckpointPolicy says;
  std::string rule;
  bool refuses = false;  // to save the value under whatever name
};

// One level of the stack: by node, its opinion.
struct Level {
  std::string policy;
  std::vector<std::optional<Opinion>> opinions;
  bool is_permission = false;  // it permits, as JAX's policies do, and demands nothing
};

// What Opinion::rule says where no rule matches.
inline constexpr std::string_view kOtherwise = "otherwise";

// A policy's level. What of it speaks of nothing in the graph goes to `warnings`, with the nearest that exists.
Level level_of(const Policy& policy, const Graph& graph, const PolicySubjects& subjects,
               std::vector<std::string>& warnings);

}  // namespace fxcut
