// Bans: why a value must not be recomputed.
#pragma once

#include <string_view>
#include <vector>

#include "cost/analysis.h"
#include "graph/int128.h"

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
  // For the frontier solver only.
  SideEffect,
  Collective,
  Overwritten,
};

// Its name in JSON ("compute_intensive"), and a phrase that completes "it cannot be recomputed: ".
std::string_view name_of(Ban ban);
std::string_view phrase_for(Ban ban);

// Whether each of the optional bans is on (PyTorch's MinCutOptions).
struct BanOptions {
  bool used_far_apart = true;
  bool long_fusible_chains = true;
  bool materialized_in_backward = true;
  bool not_in_allowlist = true;
  bool reduction = true;
};

// The options of the settings; aggressive_recomputation lifts all but `reduction`.
BanOptions ban_options(const Settings& settings);

// Whether the settings ban the call as one of a custom operator (PyTorch's is_non_builtin_to_include).
bool is_non_builtin_to_include(const Analysis& analysis, const Node& node);

struct Bans {
  std::vector<Ban> of;         // by node: its first ban
  std::vector<NodeId> banned;  // in the order in which they were banned
};

// All bans of a graph. `allowed` (by node; may be empty) lifts them for some nodes, collectives excepted. Never banned:
// views, nodes tagged to be recomputed, symbolic floats.
Bans ban_recomputation(const Analysis& analysis, const BanOptions& options, const std::vector<bool>& allowed = {});

}  // namespace fxcut
