// Higher-order operators whose subgraph runs in the place of the call.
#pragma once

#include <string_view>

namespace fxcut {

// Runs a checkpointed region: the body, then its inputs.
inline constexpr std::string_view kCheckpointCall = "higher_order.tag_activation_checkpoint";

// Runs its body once other values are there: those, the body, then its inputs (extract/control_deps.h).
inline constexpr std::string_view kControlDeps = "higher_order.control_deps";

}  // namespace fxcut
