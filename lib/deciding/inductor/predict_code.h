// The code that inductor would generate for a step's two graphs, predicted without compiling them: which values become buffers,
// and which kernels fuse.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "inductor/fuse.h"
#include "inductor/lower.h"
#include "settings/settings.h"

namespace fxcut {

struct PredictedGraphCode {
  std::shared_ptr<const Graph> traced;  // the graph as inductor has it; the kernels' nodes are its nodes
  LoweredGraph lowered;
  std::vector<FusedKernel> kernels;     // in the order of their first parts
};

struct PredictedCode {
  InductorRules rules;
  PredictedGraphCode forward, backward;
  std::size_t num_forward_outputs = 0;  // of the forward's outputs, those of the step; the others are saved
};

// `graphs` are a partition of `joint`, which has the release and whether there is one thread; they must outlive the code. Follows
// the rules of inductor's C++ backend, or of Triton's if a tensor is on another device. Workspaces are modelled for convolutions
// only (inductor/workspaces.h). Symbolic sizes count as their hints.
PredictedCode predict_code(const GraphPair& graphs, const JointGraph& joint);

// Predicts the code if the setting memory_of asks for it.
std::optional<PredictedCode> code_if_asked_for(const GraphPair& graphs, const JointGraph& joint, const Settings& settings);

}  // namespace fxcut
