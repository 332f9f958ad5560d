// Saved values that cross to the backward in 8 bits, as PyTorch has it (enable_activation_quantization in
// torch/_functorch/partitioners.py, which inductor's post_grad_fusion_options switch on), or as the decision has it.
//
// In the forward each chosen value is multiplied, row by row along its last dimension, so that its largest absolute value is the
// largest of the dtype, clamped and cast; that and the rows' scales are what the forward returns. In the backward the value is
// cast back and divided by the scales. Without scaling both sides only cast. PyTorch finds a value's partners by their names,
// which are kept here.
#pragma once

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "quantize/cross_compressed.h"
#include "settings/settings.h"

namespace fxcut {

// `graphs` are the two sides as extracted. Throws Failure (NoPartition) where PyTorch's pass fails: an output of the forward that
// is a constant, a chosen value that is no tensor or whose last dimension is empty, a size that depends on data (unless
// skip_dynamo_guards), names by which a value's partners would not be found.
Quantized quantize_activations(GraphPair graphs, const Crossing& crossing, const JointGraph& joint, NamespacePair& names,
                               const ActivationQuantization& options);

// The same for the saved values that the joint graph's meta says to compress. `ordered_from`: as in cross_compressed.
Quantized compress_as_decided(GraphPair graphs, const Crossing& crossing, const JointGraph& joint,
                              std::optional<NodeId> ordered_from, NamespacePair& names);

}  // namespace fxcut
