// Which of a stage's gradients are parameters', and stay on its rank: all others go to the stage before, once they are there.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// By leaf of the output after the forward's. Gradients are in the order of the inputs, and an input with a static lifetime is a
// parameter. Where there are fewer gradients than inputs, all count as parameters'.
std::vector<bool> find_parameter_gradients(const JointGraph& joint);

}  // namespace fxcut
