// How large a block is: by its tensor, and by what the FX graph says of the operator that made it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compiled/graph_facts.h"
#include "compiled/memory_block.h"

namespace fxcut {

// "cuda" of "cuda:0".
std::string device_type(std::string_view device);

// Gives the block the size of its storage, from the first to the last element, where dtype, shape and stride are known and
// it fits 63 bits.
void settle_size(MemoryBlock& block, SizeSource source);

// Gives the block dtype, shape, stride and device of the graph's tensor, and so a size.
void settle_like(MemoryBlock& block, const Tensor& tensor);

// The same by the nodes that may have made the block, where they all agree: those of that operator, or that item of it. Where
// there is one, the block gets its name and source as well.
void settle_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target, std::optional<std::size_t> item);

// Gives a block of known shape the dtype of the nodes that may have made it, where they agree: those of that shape.
void settle_dtype_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target,
                           std::optional<std::size_t> item);

}  // namespace fxcut
