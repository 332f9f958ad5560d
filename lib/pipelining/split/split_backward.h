// A backward in two parts: the gradients of the step's inputs, which the previous stage of a pipeline waits for, and those of its
// weights, which nothing waits for until the optimizer.
//
// Zero-bubble schedules (Qi et al., "Zero Bubble Pipeline Parallelism", 2023) run the first as soon as they can, and the second
// when a device would otherwise wait. The first part is what the gradients of the inputs need, and everything in the backward
// with an effect; the second is the rest. Values that the first has and the second needs are held in between: for a tuple its
// items, and for a tensor of which only sizes are read these numbers. Node by node this is split_di_dw_graph of torchtitan
// (experiments/graph_trainer/graph_pp/split_di_dw.py), except that effects happen once.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "extract/extract_graph.h"
#include "graph/graph.h"

namespace fxcut {

struct BackwardParts {
  Graph input;                    // has all inputs of the backward; returns gradients, then what is held
  Graph weight;                   // has what is held as inputs; returns gradients
  std::size_t num_gradients = 0;  // that the first returns
  std::vector<NodeId> held;       // nodes of the backward: values in its order, then symbolic numbers
  Subgraphs subgraphs;            // of both
};

// For each gradient, whether it is a weight's (split/parameter_gradients.h). Throws Failure (BadInput) if there are fewer
// gradients than inputs, so that they cannot be assigned.
std::vector<bool> gradients_of_weights(const JointGraph& joint);

// Splits `backward`, a graph whose outputs are gradients; `of_weights`: by output, whether it is a weight's. Linear in the graph.
// nullopt if there is only one kind of gradient: the unchanged backward then is that part. `held`, if not empty, are handed over
// in place of what is needed (split/choose_held.h): the first part computes these, too, and the second everything from these.
// Throws Failure: BadInput if the numbers of gradients differ, NoPartition if a call other than operator.getitem takes a tuple of
// the other part.
std::optional<BackwardParts> split_backward(const JointGraph& backward, const std::vector<bool>& of_weights,
                                            const std::vector<NodeId>& held = {});

}  // namespace fxcut
