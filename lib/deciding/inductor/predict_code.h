// The code that inductor would generate of a step's two graphs, predicted without compiling them: what becomes a buffer, and
// which kernels fuse.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "inductor/fuse.h"
#include "inductor/lower.h"
#include "settings/settings.h"

namespace fxcut {

struct PredictedGraphCode {
  std::shared_ptr<const Graph> traced;  // the graph as inductor has it, of which the kernels' nodes are
  LoweredGraph lowered;
  std::vector<FusedKernel> kernels;     // in the order of their first parts
};

struct PredictedCode {
  InductorRules rules;
  PredictedGraphCode forward, backward;
};

// `graphs` are a partition's of `joint`, which says the release and whether there is one thread, and outlive the code. By the
// rules of inductor's C++ backend, or, if a tensor is on another device, of Triton's. What a kernel takes within its call is
// known of convolutions only (inductor/workspaces.h). Sizes by their hints.
PredictedCode predict_code(const GraphPair& graphs, const JointGraph& joint);

// If the setting memory_of asks for compiled code.
std::optional<PredictedCode> code_if_asked_for(const GraphPair& graphs, const JointGraph& joint, const Settings& settings);

}  // namespace fxcut
