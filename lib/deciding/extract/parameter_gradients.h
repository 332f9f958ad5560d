// Which gradients are parameters'. In a pipeline these stay on the rank; all others go to the stage before, once they are there.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By leaf of the output after the forward's. Gradients are in the order of the inputs, and an input with a static lifetime is a
// parameter; in a joint graph of AOTAutograd there is one for each. Further ones, which a stage of a cut graph has, are of values
// from other stages. Where there are fewer gradients than inputs, all count as parameters'.
std::vector<bool> find_parameter_gradients(const JointGraph& joint);

}  // namespace fxcut
