// The bans on recomputing: why a value that could be computed again in the backward must not be.
#pragma once

#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "graph/wide.h"

namespace fxcut {

enum class Ban {
  None,
  PrimalInput,
  ForwardSeed,
  MustSave,
  NotInAllowlist,
  RandomOperator,
  ComputeIntensive,
  NonBuiltin,
  MaterializedInBackward,
  TooFarFromBackward,
  Reduction,
  UsedFarApart,
  LongFusibleChain,
  // Of the frontier solver alone.
  SideEffect,
  Collective,
  Overwritten,
};

// A word for it ("compute_intensive"), and a phrase that goes on after "it cannot be recomputed: ".
std::string_view name_of(Ban ban);
std::string_view phrase_for(Ban ban);

// Which of the bans that cost PyTorch something are on (PyTorch's MinCutOptions).
struct BanOptions {
  bool used_far_apart = true;
  bool long_fusible_chains = true;
  bool materialized_in_backward = true;
  bool not_in_allowlist = true;
  bool reduction = true;
};

// The options that the settings ask for; aggressive_recomputation lifts all but `reduction`.
BanOptions ban_options(const Settings& settings);

// Whether the settings ban the call as one of a custom operator (PyTorch's is_non_builtin_to_include).
bool is_non_builtin_to_include(const Analysis& analysis, const Node& node);

struct Bans {
  std::vector<Ban> of;         // by node: the first ban that struck it
  std::vector<NodeId> banned;  // in the order in which they were banned
};

// All bans of a graph. `allowed` (by node; may be empty) lifts them for some nodes, collectives excepted. Never banned:
// views, nodes that the user wants recomputed, symbolic floats.
Bans ban_recomputation(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed = {});

}  // namespace fxcut
