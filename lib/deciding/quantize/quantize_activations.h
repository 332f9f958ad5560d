// Saved values that cross to the backward in 8 bits, as PyTorch has it (enable_activation_quantization in
// torch/_functorch/partitioners.py, which inductor's post_grad_fusion_options switch on).
//
// In the forward each chosen value is multiplied, row by row along its last dimension, so that its largest absolute value is the
// largest of the dtype, clamped and cast; that and the rows' scales are what the forward returns. In the backward the value is
// cast back and divided by the scales. Without scaling both sides only cast. PyTorch adds the nodes directly after those that
// they take, so that calls may stand between placeholders, and it finds a value's partners by their names; both are kept here.
#pragma once

#include <string>
#include <vector>

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "settings/settings.h"

namespace fxcut {

// A saved value that crosses as another; names are those of the forward's nodes, and of the backward's placeholders' targets.
struct QuantizedValue {
  std::string name;
  std::string quantized;
  std::string scale;  // empty without scaling
};

struct Quantized {
  GraphPair graphs;
  std::vector<QuantizedValue> values;  // in the order of the saved values
};

// `graphs` are the two sides as extracted. Throws Failure (NoPartition) where PyTorch's pass fails: an output of the forward that
// is a constant, a chosen value that is no tensor or whose last dimension is empty, a size that depends on data (unless
// skip_dynamo_guards), names by which a value's partners would not be found.
Quantized quantize_activations(GraphPair graphs, const Crossing& crossing, const JointGraph& joint, NamespacePair& names,
                               const ActivationQuantization& options);

}  // namespace fxcut
