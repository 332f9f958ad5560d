// Saved values that cross to the backward in fewer bits: the forward's calls that make their forms, and the backward's that
// restore the values.
//
// As in PyTorch's quantization (enable_activation_quantization in torch/_functorch/partitioners.py), the calls come directly
// after what they take, so that they may stand between placeholders; those that restore other forms come just before the value's
// first user in the order in which the backward runs, so that what is recomputed before it does not wait for it, nor has it in
// memory. Of a value that is also an output of the forward's caller, the caller gets the value. Scales are returned before the
// symbolic numbers at the end, and are placeholders after the last that is no tangent; those that PyTorch's pass does not make
// also before what comes after the tangents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// How one output of the forward crosses.
struct CompressedCrossing {
  std::size_t position = 0;  // among the outputs of the forward
  Compression how = Compression::Cast;
  const Dtype* dtype = nullptr;  // of the form; of Scaled one of quantized_dtypes()
  bool divides = true;           // of Scaled: whether the backward scales back
  std::string name, scale;       // of the forward's nodes
  bool is_found_by_name = false;  // by PyTorch, for which the names must be free
};

// A saved value that crosses as another; names are those of the forward's nodes, and of the backward's placeholders' targets.
struct QuantizedValue {
  std::string name;
  std::string quantized;
  std::string scale;  // empty without scales
  Compression how = Compression::Scaled;
};

struct Quantized {
  GraphPair graphs;
  std::vector<QuantizedValue> values;  // in the order of their positions
};

// `graphs` are the two sides as extracted, `crossings` are in the order of their positions, each of a tensor that the backward
// takes. `ordered_from`: the node from which on the backward will be ordered as autograd runs it. What comes before that moves to
// its first user then, so values are restored there. Throws Failure (NoPartition) if a name by which PyTorch finds a node is
// taken.
Quantized cross_compressed(GraphPair graphs, const std::vector<CompressedCrossing>& crossings, NamespacePair& names,
                           std::optional<NodeId> ordered_from = std::nullopt);

// Whether the value can cross as Bits: booleans in order, a multiple of 8, of a size that is known.
bool fits_bits(const Tensor& tensor);

}  // namespace fxcut
