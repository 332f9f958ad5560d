// Joins the two parts of a backward (split/split_backward.h) again, for verify to compare with the joint graph.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "verify/mismatch.h"

namespace fxcut {

// The part for the inputs' gradients, then the part for the weights', which takes what the first returns after its gradients, by
// position and name; gradients in the order of the joint graph's inputs. Adds to `mismatches` each value that the second part
// takes and the first does not return there.
JointGraph join_backward(const JointGraph& joint, const JointGraph& input_part, const JointGraph& weight_part,
                         std::vector<Mismatch>& mismatches);

}  // namespace fxcut
