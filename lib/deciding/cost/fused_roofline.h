// Run times of a graph's operators when a compiler fuses them into kernels.
//
// A kernel takes as long as its arithmetic, or as the memory that it reads and writes, whichever is longer (the roofline model:
// Williams, Waterman and Patterson, 2009). Inductor runs a chain of pointwise operators and reductions as one kernel, so values
// between them are never in memory: the chain costs what its ends read and write. The time of a node is its share of that, so
// that the times of any set of nodes can be added up:
//
//   fused                 reading each value from memory that it is the first to use in a kernel; writing its result, if a user
//                         takes it from memory
//   reduction over rows   the same. Over other dimensions it is a kernel of its own, which reads its operand
//   product, attention    what its arithmetic takes (cost/library_time.h), or otherwise reading operands and writing the result
//   collective            its bytes at the rate of its group's links (cost/collective_time.h)
//   other                 reading its operands, writing its results
//
// A CPU kernel draws random numbers, and reads and stores Booleans, element by element: the device's times per element
// (cost/device_profile.h) are added for fused operators that do so. A Boolean that is stored is a loop of its own, and fused
// operators that use it read it back. If the profile has times of masks, they hold for the Booleans that a dropout draws
// (cost/drawn_masks.h).
//
// An operator that is not fused takes the graph's runtime_ms if there is one, as measured by fxcut.profile. Where no compiler
// fuses (DeviceProfile::fuses), none is: each reads its operands and writes its result.
//
// PyTorch's rule for pairs (cost/fusibility.h) decides what shares a kernel with a fused operator. A value counts as read from
// memory if its operator is not fused; reading what a fused operator has stored counts with the write, so later kernels that read
// it again are left out. If the profile has a kernel's minimum time, it is added wherever something is stored. Other arithmetic
// of fused operators takes the profile's time for an operation on an element, if it has one. Not counted: copies to the host and
// back, which run concurrently.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/device_profile.h"
#include "graph/graph.h"

namespace fxcut {

// The bytes that a kernel moves to read or write the value: an expanded tensor has more elements than memory, a slice extends
// over more memory than its elements.
double traffic_of(const Value& value);

// For each node, milliseconds on the device, for the joint graph or one of the two; 0 for nodes that compute nothing
// (classify/views_and_writes.h), compute with sizes, or have no value. `forward`: that of a backward, where it drew the masks
// that the backward reads; null for any other graph.
std::vector<double> fused_roofline_ms(const Graph& graph, const DeviceProfile& device, const Graph* forward = nullptr);

// Milliseconds, besides the bytes of the node's own value.
struct ValueTimes {
  // Of a reduction: to read its operand within a kernel, in the narrowest form available: as stored, or as what it is computed
  // from elementwise.
  double reduced_ms = 0;
  // Of a Boolean, if the profile has times of elements: to write and to read it one by one.
  double write_elements_ms = 0, read_elements_ms = 0;
};

// For each node of a joint graph; 0 where it does not apply.
std::vector<ValueTimes> value_times(const Graph& graph, const DeviceProfile& device);

// Whether a compiler may fuse the operator into a kernel with others.
bool is_fused(const Node& node);

// Milliseconds in which a kernel reads or writes `bytes`.
double ms_of_traffic(double bytes, const DeviceProfile& device);

// For each node, the least number of consecutive kernels before it: library calls, and reductions that others do not join.
std::vector<std::uint32_t> kernels_before(const Graph& graph);

// The sum of fused_roofline_ms. For a step's two graphs it includes what one stores for the other; for their joint graph it does
// not.
double run_time_ms(const Graph& graph, const DeviceProfile& device, const Graph* forward = nullptr);

}  // namespace fxcut
