// Verdicts of policies on nodes. A stack may have thousands of policies that each match few nodes, so only matches are
// stored, and policies are numbers.
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
  std::vector<std::string> rules;  // descriptions: "rule 2: op aten.mm.*"
  bool is_permission = false;      // like JAX's policies, it permits and does not demand
};

// The description of the rule for nodes that no other matches.
inline constexpr std::string_view kOtherwise = "otherwise";

// The verdict of one level on one node, and its rule.
struct RuleVerdict {
  NodeId node{0};
  CheckpointPolicy checkpoint_policy = CheckpointPolicy::PreferSave;
  bool refuses = false;  // to save the value under any name
  std::uint32_t rule = 0;
};

// A level's COMPRESS of one node.
struct FormVerdict {
  NodeId node{0};
  const Dtype* dtype = nullptr;  // null: that of the settings
  std::uint32_t rule = 0;
};

struct Level {
  PolicySource source;
  std::vector<RuleVerdict> verdicts;       // at most one for each node, in the order of the nodes
  std::vector<FormVerdict> forms = {};     // likewise
};

// A verdict on a given node, with its source.
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
