// What a user asks to be kept: a stack of policies, from outermost to innermost. Plain data; how a stack is resolved is
// for resolve_policies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "policy/pattern.h"

namespace fxcut {

// Which nodes a rule speaks of: those that all given parts hold for.
struct PolicyMatch {
  std::optional<Pattern> name;       // a checkpoint name of the value
  std::optional<Pattern> op;         // the operator's target
  std::optional<Pattern> module;     // the path of the nn.Module, or of one that it is inside of
  std::optional<std::string> dtype;  // without "torch."
  std::optional<std::int64_t> min_bytes, max_bytes;
  std::optional<std::int64_t> ac_graph_id;  // the checkpointed region
  std::int64_t every = 1;  // of the nodes that the rest selects, in order, each that comes at a multiple of this
};

struct PolicyRule {
  PolicyMatch match;
  CheckpointPolicy policy = CheckpointPolicy::MustSave;
};

// The first rule that matches a node decides; without one, `otherwise`, if it is given.
struct RuleList {
  std::vector<PolicyRule> rules;
  std::optional<CheckpointPolicy> otherwise;
};

// One of JAX's policies (jax.checkpoint_policies), under its name there.
struct JaxPolicy {
  std::string kind;                 // "dots_saveable"
  std::vector<std::string> names;   // of those that take names
  std::vector<std::string> save, offload;    // of save_and_offload_only_these_names
  std::vector<JaxPolicy> policies;  // of save_from_both_policies
};

struct Policy {
  std::string name;  // as the user calls it, or what it is
  std::variant<RuleList, JaxPolicy> content;
};

using PolicyStack = std::vector<Policy>;

// The policies that save, or recompute, all that they can.
Policy must_save_all();
Policy recompute_all();

}  // namespace fxcut
