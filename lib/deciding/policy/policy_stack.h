// The user's policies: a stack from outermost to innermost. Plain data; resolve_policies resolves it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "graph/graph.h"
#include "policy/operator_classes.h"
#include "policy/pattern.h"

namespace fxcut {

// The kind of a node of the forward.
enum class NodeKind : std::uint8_t {
  Activation,  // a call that computes a value
  View,        // a view or a name of another value
  Parameter,   // a static lifetime input: a parameter or a buffer
  Input,       // another input of the step
  Gathered,    // of a parameter that is gathered from shards (classify/gathered_parameters.h): also a view or an activation
};

// By name in policy files, in the order of the enumeration.
inline constexpr std::array<std::pair<std::string_view, NodeKind>, 5> kNodeKinds = {{
    {"activation", NodeKind::Activation},
    {"view", NodeKind::View},
    {"parameter", NodeKind::Parameter},
    {"input", NodeKind::Input},
    {"gathered", NodeKind::Gathered},
}};

constexpr std::string_view name_of(NodeKind kind) { return kNodeKinds[static_cast<std::size_t>(kind)].first; }

// The nodes that a rule matches: those that meet all given conditions, of which match_rows.h has a row each.
struct PolicyMatch {
  std::optional<Pattern> node;       // the node's name in the graph
  std::optional<NodeKind> kind;
  std::optional<OperatorClass> operators;
  std::optional<Pattern> name;       // a checkpoint name of the value
  std::optional<Pattern> op;         // the operator's target
  std::optional<Pattern> module;     // the path of the nn.Module, or of a module that contains it
  std::optional<Pattern> dtype;      // without "torch."
  std::optional<std::int64_t> min_bytes, max_bytes;
  std::optional<std::int64_t> ac_graph_id;  // the checkpointed region
  std::int64_t every = 1;  // every n-th of the nodes that the rest matches, in order
};

// COMPRESS: what matches is saved in fewer bits, if it is saved. Each row of floating-point numbers is scaled to the dtype and
// rounded (null: to the setting compress_dtype); booleans and positions take the forms that lose nothing.
struct Compressing {
  const Dtype* dtype = nullptr;

  bool operator==(const Compressing&) const = default;
};

inline constexpr std::string_view kCompressPolicy = "COMPRESS";

// What a rule demands of a value: whether it is saved, or in which form.
using RuleOutcome = std::variant<CheckpointPolicy, Compressing>;

// "MUST_SAVE", "COMPRESS"
constexpr std::string_view name_of(const RuleOutcome& outcome) {
  const auto* whether = std::get_if<CheckpointPolicy>(&outcome);
  return whether ? name_of(*whether) : kCompressPolicy;
}

struct PolicyRule {
  PolicyMatch match;
  RuleOutcome policy = CheckpointPolicy::MustSave;
};

// The first rule that matches a node decides whether it is saved, and the first COMPRESS that matches it in which form; if none
// says whether, `otherwise` does, if given.
struct RuleList {
  std::vector<PolicyRule> rules;
  std::optional<CheckpointPolicy> otherwise;
};

// One of JAX's policies (jax.checkpoint_policies), under its name there.
struct JaxPolicy {
  std::string kind;                 // "dots_saveable"
  std::vector<std::string> names;   // for policies with names
  std::vector<std::string> save, offload;    // of save_and_offload_only_these_names
  std::vector<JaxPolicy> policies;  // of save_from_both_policies
};

struct Policy {
  std::string name;  // the user's name for it, or a description
  std::variant<RuleList, JaxPolicy> content;
};

using PolicyStack = std::vector<Policy>;

// Whether a rule of the policy says COMPRESS.
inline bool asks_for_forms(const Policy& policy) {
  const auto* list = std::get_if<RuleList>(&policy.content);
  return list && std::ranges::any_of(list->rules, [](const PolicyRule& rule) {
           return std::holds_alternative<Compressing>(rule.policy);
         });
}

// Whether the policy has values copied to the host.
inline bool asks_for_copies(const JaxPolicy& policy) {
  const auto any_of_these = [](const JaxPolicy& one) { return asks_for_copies(one); };
  return !policy.offload.empty() || std::ranges::any_of(policy.policies, any_of_these);
}
inline bool asks_for_copies(const Policy& policy) {
  const auto copies = [](const RuleOutcome& outcome) {
    const auto* whether = std::get_if<CheckpointPolicy>(&outcome);
    return whether && offloads(*whether);
  };
  if (const auto* by_jax = std::get_if<JaxPolicy>(&policy.content)) return asks_for_copies(*by_jax);
  const auto& list = std::get<RuleList>(policy.content);
  return std::ranges::any_of(list.rules, [&](const PolicyRule& rule) { return copies(rule.policy); }) ||
         (list.otherwise && offloads(*list.otherwise));
}

// Policies that save, or recompute, as much as possible. The latter is a preference, so that other levels' MUSTs
// prevail.
inline Policy must_save_all() { return {"must_save_all", RuleList{{}, CheckpointPolicy::MustSave}}; }
inline Policy recompute_all() { return {"recompute_all", RuleList{{}, CheckpointPolicy::PreferRecompute}}; }

}  // namespace fxcut
