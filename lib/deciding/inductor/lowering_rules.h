// How inductor lowers each operator (torch/_inductor/lowering.py): whether its result is computed within the kernels that
// read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

enum class Lowering : std::uint8_t {
  View,       // other strides on the same memory, or other indices in the kernels that read it
  Pointwise,  // an expression of its inputs, inlined into its readers as long as it is small
  Indirect,   // the same, but reads its inputs at indexed positions
  Reduction,  // a kernel of its own, into which its inputs are inlined
  Stored,     // as Indirect, but always stored: random numbers, concatenations, scatters
  Write,      // copy_ to an input: a kernel that allocates nothing
  Extern,     // a library call on buffers; every operator without another row
};

// How a call is lowered. For operators that inductor lowers for some arguments only, the common case.
Lowering lowering_of(const Node& call);

// The position of the input that the call reads only the shape of; nullopt if there is none.
std::optional<std::size_t> input_of_shape(const Node& call);

// The operations that the call adds to the kernels that read its result, without its loads and loop indices; and the numbers that
// are constants there: its arguments, or what it fills a tensor with (OpCounterCSE).
std::size_t operators_of(const Node& call);
std::vector<Argument> constants_in(const Node& call);

// Whether its terms, or its padded input, may be written into the result (concatenations.h).
inline bool is_concatenation_or_padding(const Node& call) {
  return call.packet() == "aten.cat" || call.packet() == "aten.constant_pad_nd";
}

// Whether it divides by its second argument; and whether its tensors are converted to the dtype of the result.
bool divides(const Node& call);
bool promotes(const Node& call);

// Whether inductor on the CPU stores the result for two readers rather than compute it twice
// (StorageBox.should_realize_on_reuse).
bool is_heavy_on_cpu(const Node& call);

// Whether an inlined value with several readers, which itself reads several places, is stored because this call reads it
// (needs_realized_inputs); and whether it is stored in the shape and order in which it is read (need_fixed_layout).
bool wants_buffer_of_shared(const Node& call);
bool wants_order_of_shared(const Node& call);

// Whether the library takes its inputs in the traced order of dimensions, contiguous if the last is not the innermost, and copies
// of others and of values that are not stored (sdpa_constraint).
bool is_attention(const Node& call);

// Whether the call's inputs are stored in the traced layout (GraphLowering.run_node's as_strided_ops).
bool wants_traced_strides(const Node& call);

// A convolution or its backward.
bool is_convolution(const Node& call);

// nullopt if the convolution has none.
std::optional<NodeId> bias_of_convolution(const Node& call);

// Whether the results may be unaligned if an input of the call is (FallbackKernel).
bool is_fallback(const Node& call);

// Whether the result of a library's call is written into a buffer that the wrapper allocates (ExternKernelOut), and may so
// reuse another's memory.
bool writes_into_buffer(const Node& call);

}  // namespace fxcut
