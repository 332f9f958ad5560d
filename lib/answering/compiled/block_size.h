// The size of a block: by its tensor, or by the operator that made it in the FX graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiled/graph_facts.h"
#include "compiled/memory_block.h"
#include "graph/extents.h"

namespace fxcut {

// "cuda" of "cuda:0".
std::string device_type(std::string_view device);

// Gives the block the size of its storage, from the first to the last element, if dtype, shape and stride are known and it
// fits 63 bits.
void settle_size(MemoryBlock& block, SizeSource source);

// Whether a tensor of that shape and stride extends further than the block's; true if the block's are unknown.
bool ends_later(const Extents& shape, const Extents& stride, const MemoryBlock& block);

// Gives the block dtype, shape, stride, device and size of the graph's tensor.
void settle_like(MemoryBlock& block, const Tensor& tensor);

// The same by the nodes that may have made the block, those of that operator (or that item of it), if they all agree. If there
// is only one, the block also gets its name and source.
void settle_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target, std::optional<std::size_t> item);

// Gives a block of known shape the dtype of the nodes of that shape that may have made it, if they agree.
void settle_dtype_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target,
                           std::optional<std::size_t> item);

}  // namespace fxcut
