// A decision for torchtitan, whose selective checkpointing is a list of operators: in each layer (a child of the model's
// `layers`) it saves all calls of those, but of aten.mm the first, third, fifth and so on only; outside of the layers nothing is
// a region (_apply_op_sac in torchtitan/distributed/activation_checkpoint.py).
//
// A list has no counts and no modules, and what is drawn after a saved draw would be drawn otherwise in the backward, so that no
// operator that draws is listed. An operator is on it if of what its calls would save no fewer bytes were decided to be
// saved than not. What is decided and not saved by the list, and what it saves beyond that, is listed with its bytes.
#pragma once

#include "eager/eager_policy.h"
#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// The modules that torchtitan wraps.
inline constexpr std::string_view kLayersOfTorchtitan = "layers.*";

// As eager_policy does. Throws Failure (Usage) if there are no such modules. Calls that the list saves beyond the decision are
// kept without values.
EagerPolicy torchtitan_list(JointGraph joint, const Report& decision);

}  // namespace fxcut
