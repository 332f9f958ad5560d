// The gradients that are those of parameters. In a pipeline these stay on the rank; others go to the stage before once computed.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each leaf of the output after the forward's. Gradients are in the order of the inputs, and inputs with a static lifetime
// are parameters; AOTAutograd's joint graphs have one for each input. Further gradients, which a stage of a cut graph has, are of
// values from other stages. If there are fewer gradients than inputs, all count as parameters'.
std::vector<bool> find_parameter_gradients(const JointGraph& joint);

}  // namespace fxcut
