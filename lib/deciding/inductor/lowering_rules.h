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
  Indirect,   // the same, but it reads its inputs at computed places
  Reduction,  // a kernel of its own, into which its inputs are inlined
  Stored,     // as Indirect, but always stored: random numbers, concatenations, scatters
  Write,      // copy_ to an input: a kernel that allocates nothing
  Extern,     // a call of a library, whose inputs and results are buffers; every operator that has no other row
};

// How a call is lowered. For operators that inductor lowers for some arguments only, the common case.
Lowering lowering_of(const Node& call);

// The position of the input of which the call takes only the shape; nullopt if there is none.
std::optional<std::size_t> input_of_shape(const Node& call);

// How many operations the call is in the kernels that read its result, without its loads and its positions, and the numbers that
// are constants there: among its arguments, or that it fills a tensor with (OpCounterCSE).
std::size_t operators_of(const Node& call);
std::vector<Argument> constants_in(const Node& call);

// The value of a number among them.
inline double number_in(const Argument& number) {
  return number.kind == Argument::Kind::Float ? number.real : static_cast<double>(number.integer);
}

// Whether it is one of those whose terms, or what is padded, may be written into the result (concatenations.h).
inline bool is_concatenation_or_padding(const Node& call) {
  return call.callee->packet == "aten.cat" || call.callee->packet == "aten.constant_pad_nd";
}

// Whether it divides by its second argument; and whether its tensors are converted to the dtype of the result.
bool divides(const Node& call);
bool promotes(const Node& call);

// Whether inductor on the CPU stores the result for two readers rather than compute it twice
// (StorageBox.should_realize_on_reuse).
bool is_heavy_on_cpu(const Node& call);

// Whether a value of several readers that is inlined is stored because this call reads it, if it reads at several places
// (needs_realized_inputs); and whether it is, in the shape and order in which it is read (need_fixed_layout).
bool wants_buffer_of_shared(const Node& call);
bool wants_order_of_shared(const Node& call);

// Whether the library takes its inputs in the order of dimensions that was traced, contiguous if the last is not the innermost,
// and copies of others and of what is not stored (sdpa_constraint).
bool is_attention(const Node& call);

// Whether what the call reads is stored as it was traced (GraphLowering.run_node's as_strided_ops).
bool wants_traced_strides(const Node& call);

// A convolution or its backward.
bool is_convolution(const Node& call);

// nullopt if the convolution has none.
std::optional<NodeId> bias_of_convolution(const Node& call);

// Whether the results begin anywhere if an input of the call does (FallbackKernel).
bool is_fallback(const Node& call);

// Whether the result of a library's call is written into a buffer that the wrapper allocates (ExternKernelOut), and may so
// reuse another's memory.
bool writes_into_buffer(const Node& call);

}  // namespace fxcut
