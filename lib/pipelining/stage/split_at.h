// Cuts one joint graph into stages of a pipeline: a joint graph for each.
//
// A value that a later stage uses is an output of its stage's forward, and an input of each stage that uses it, under its own
// name; a gradient that an earlier stage uses is an output of its stage's backward, and a tangent there, tangents_NAME. Inputs
// of the whole graph, including parameters, are inputs of each stage that uses them, so tied weights are inputs of several.
// Constants are copied. Gradients are in the order of the stage's inputs, None for an input without one, then those that other
// stages use.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The stages, in order: one more than `modules`, at which the second and all later ones begin (stage/assign_stages.h). Nodes keep
// their names and order; together the stages have each call of `joint` once. Throws what assign_stages does.
std::vector<JointGraph> split_at(const JointGraph& joint, const std::vector<std::string>& modules);

}  // namespace fxcut
