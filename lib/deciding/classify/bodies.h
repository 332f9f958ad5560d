// Higher-order operators that run a subgraph.
#pragma once

#include <string_view>

namespace fxcut {

// Runs a checkpointed region: arguments are the body, then its inputs.
inline constexpr std::string_view kCheckpointCall = "higher_order.tag_activation_checkpoint";

// Runs its body after other values: arguments are those, the body, then its inputs (extract/control_deps.h).
inline constexpr std::string_view kControlDeps = "higher_order.control_deps";

}  // namespace fxcut
