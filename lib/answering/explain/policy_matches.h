// fxcut policy: the nodes that each rule of a stack of policies matches in a graph, without a decision on the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compress/form_on_request.h"
#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

// A node that is saved as it is, whatever a rule says.
struct NodeAsIs {
  std::string name;
  NoForm reason = NoForm::Input;
};

// The nodes for which a rule is the first of its policy to match.
struct RuleMatches {
  std::string rule;                // "rule 2: op aten.mm.*"
  std::string checkpoint_policy;   // what it says of them: "MUST_SAVE"; empty of one of JAX's policies that says it of none
  std::vector<std::string> nodes;  // in order
  std::int64_t size_bytes = 0;     // of their values, each storage once
  std::vector<NodeAsIs> as_they_are = {};  // of COMPRESS: of the nodes, those that have no form of fewer bits
};

struct PolicyMatches {
  std::string policy;
  std::vector<RuleMatches> rules;
};

struct StackMatches {
  std::string graph;                 // its name
  std::size_t nodes = 0;             // calls and inputs of the forward, which policies are about
  std::vector<PolicyMatches> policies;
  std::vector<std::string> warnings;  // of what matches nothing, or nothing that earlier rules do not
};

// By the graph as it is read, with the bodies of checkpointed regions in it.
StackMatches match_stack(JointGraph joint, const PolicyStack& stack, const Settings& settings);

// One line for each rule.
std::string matches_text(const StackMatches& matches);

// schemas/policy_matches.schema.json.
std::string matches_json(const StackMatches& matches);

}  // namespace fxcut
