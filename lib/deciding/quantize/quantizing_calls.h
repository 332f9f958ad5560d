// The calls that quantize a value and scale it back (PyTorch's calculate_quantization_scaling, perform_quantization, and the loop
// of quantize_activation_bw), and that pack booleans into bytes, with the values that they return.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "graph/editing.h"
#include "graph/graph.h"
#include "graph/naming.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {

// Adds nodes to one side, each after the one before, beginning after `after`.
class QuantizingCalls {
 public:
  // `storages`: the number of the next new storage.
  QuantizingCalls(Editing& editing, Namespace& names, std::int64_t& storages, NodeId after)
      : editing_(editing), names_(names), storages_(storages), last_(after) {}

  // The scales of the value's rows along its last dimension, in float32: the largest number of `dtype`, divided by the largest of
  // the row.
  NodeId scales(NodeId value, const QuantizedDtype& dtype, const std::string& name);
  // The value times the scales, within the range of `dtype`, in that dtype.
  NodeId scaled(NodeId value, NodeId scales, const QuantizedDtype& dtype, const std::string& name);
  // The value cast; an empty name: as torch.fx names it.
  NodeId cast(NodeId value, const Dtype& dtype, const std::string& name = "");
  // The value in `dtype` again, from the results of `scaled`.
  NodeId divided(NodeId quantized, NodeId scales, const Dtype& dtype);
  // Booleans as the bits of bytes, the first in the lowest bit: the value is contiguous, and of a multiple of 8 elements.
  NodeId packed(NodeId value, const std::string& name);
  // A value like `original` again, from the result of `packed`.
  NodeId unpacked(NodeId bytes, const Tensor& original);

 private:
  NodeId add(const Operator& callee, std::vector<NodeId> inputs, std::vector<Argument> further, Value value,
             const std::string& name, const Tensor* view_of = nullptr);
  NodeId with_keywords(NodeId call, std::vector<std::pair<std::string, Argument>> keywords);
  NodeId bit_numbers(const std::string& device);
  NodeId elementwise(const Operator& callee, NodeId value, const Dtype& dtype, std::vector<Argument> further,
                     const std::string& name = "");

  Editing& editing_;
  Namespace& names_;
  std::int64_t& storages_;
  NodeId last_;
};

}  // namespace fxcut
