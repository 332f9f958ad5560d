// Run times of a graph's operators where a compiler fuses them into kernels.
//
// A kernel takes as long as its arithmetic, or as the memory that it reads and writes, whichever is longer (the roofline model:
// Williams, Waterman and Patterson, 2009). Inductor runs a chain of pointwise operators and reductions as one kernel, so what is
// between two of them is never in memory: the chain costs what its ends read and write. The time of a node is its own part of
// that, so that the times of any set of nodes can be added up:
//
//   fused                 reading each value from memory that it is the first to use in a kernel; writing its result, if a user
//                         takes it from memory
//   reduction over rows   the same. Over other dimensions it is a kernel of its own, which reads its operand
//   product, attention    what its arithmetic takes (cost/library_time.h), or else reading operands and writing the result
//   collective            its bytes at the rate of its group's links (cost/collective_time.h)
//   other                 reading its operands, writing its results
//
// A kernel for a CPU draws random numbers, and reads and stores booleans, one element after the other: the device's times of an
// element (cost/device_profile.h) are added where a fused operator does so.
//
// An operator that is not fused takes the graph's runtime_ms where the graph has one, which was measured: fxcut.profile.
//
// What shares a kernel with a fused operator is decided by PyTorch's rule for pairs (cost/fusibility.h). A value counts as read
// from memory if its operator is not fused; reading what a fused operator has stored counts with the write: left out are later
// kernels that read it again. Where the profile says what a kernel takes at least, that is added where something is stored. Not
// counted: other arithmetic of fused operators, copies to the host and back, which run beside the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/device_profile.h"
#include "graph/graph.h"

namespace fxcut {

// The bytes that a kernel moves to read or write the value: an expanded tensor has more elements than memory, a slice extends
// over more memory than its elements.
double traffic_of(const Value& value);

// For each node, milliseconds on the device, for the joint graph or one of the two; 0 for what computes nothing
// (classify/views_and_writes.h) or has no value.
std::vector<double> fused_roofline_ms(const Graph& graph, const DeviceProfile& device);

// For each node, milliseconds to read what a reduction in a kernel reduces, in the narrowest form that a kernel could read it
// from: as stored, or as what it is computed from element by element. 0 of all other nodes.
std::vector<double> reduced_ms(const Graph& graph, const DeviceProfile& device);

// Whether a compiler may fuse the operator into a kernel with others.
bool is_fused(const Node& node);

// Milliseconds in which a kernel reads or writes so many bytes.
double ms_of_traffic(double bytes, const DeviceProfile& device);

// For each node, how many kernels one after the other it comes after at least: library calls, and reductions that others do not
// join.
std::vector<std::uint32_t> kernels_before(const Graph& graph);

// The sum of these. The sum of a step's graphs has what one stores for the other, which their joint graph has not.
double run_time_ms(const Graph& graph, const DeviceProfile& device);

}  // namespace fxcut
