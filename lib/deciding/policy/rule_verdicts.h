// Who says what of which node. A stack may have thousands of policies, of which each speaks of few nodes: what is not said
// takes no memory, and who says it is a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// A level of the stack: a policy, or the graph's own tags.
struct PolicySource {
  std::string policy;
  std::vector<std::string> rules;  // how each is told: "rule 2: op aten.mm.*"
  bool is_permission = false;      // it permits, as JAX's policies do, and demands nothing
};

// How the rule is told that speaks where no other does.
inline constexpr std::string_view kOtherwise = "otherwise";

// What one level says of one node, and by which of its rules.
struct RuleVerdict {
  NodeId node{0};
  CheckpointPolicy checkpoint_policy = CheckpointPolicy::PreferSave;
  bool refuses = false;  // to save the value under whatever name
  std::uint32_t rule = 0;
};

struct Level {
  PolicySource source;
  std::vector<RuleVerdict> verdicts;  // at most one on a node, in the order of the nodes
};

// The same of a node that is known, by a speaker who is one of several.
struct Verdict {
  CheckpointPolicy checkpoint_policy = CheckpointPolicy::PreferSave;
  std::uint32_t source = 0;
  std::uint32_t rule = 0;
};

// "rule 2: op aten.mm.*"
const std::string& rule_of(const Verdict& verdict, const std::vector<PolicySource>& sources);

// "MUST_SAVE of 'base' (rule 2: op aten.mm.*)"
std::string describe(const Verdict& verdict, const std::vector<PolicySource>& sources);

}  // namespace fxcut
