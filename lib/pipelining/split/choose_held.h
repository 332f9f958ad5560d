// Chooses what a backward in two parts holds between them, to take the least memory.
//
// By default (split/split_backward.h), the first part computes what the gradients of inputs need, and the second takes from it
// whatever it needs and the first has. That is not the minimum: the second may take gate and up to multiply them, although the
// first could hand over the product; and it may take a recomputed value that both need, although the inputs of its recomputation
// are held anyway. So cheap operators may run in the other part, or in both:
//
//   earlier   in the first part, though only the second needs it
//   again     in the second part, though the first has computed it
//
// Views, items of tuples and symbolic numbers are cheap; so is what PyTorch's partitioner can fuse, if it has no effect, draws no
// random numbers, and touches no memory that the step writes to: the forward of another microbatch may run between the parts.
// Products stay where they are. The values saved between forward and backward do not change: every value that was saved or
// recomputed still exists at the end of the first part, so the second part's inputs can be chosen independently.
//
// A minimum cut finds the choice. Each node has two vertices, c: the second part computes it, and a: it is available there; a
// vertex on the sink's side is true. W is what only gradients of weights need.
//
//   c -> a          the bytes of the value: available but not computed there, so it is held; infinite for a tuple
//   source -> c     again: its run time; infinite if it is not cheap, or an input. Not of W
//   c -> sink       earlier: its run time; infinite if it is not cheap. Of W only
//   a(x) -> c(y)    infinite, y uses x: to compute it, x is there
//   c(y) -> c(x)    infinite, y uses x, both of W: what runs earlier needs its inputs earlier
//   a -> sink       infinite: the second part returns it
//
// Inputs count by storage, each once; those in a parameter's storage do not count. A view costs its whole storage, and nothing if
// it is computed again. Bytes decide; among equal bytes, time does.
#pragma once

#include <vector>

#include "cost/device_profile.h"
#include "cost/size.h"
#include "graph/graph.h"

namespace fxcut {

// How to choose what is held between the parts: what the second part needs, as torchtitan does, or the minimum.
enum class Holding { AsNeeded, Least };

// For each storage, the bytes that a value in it holds: those of the largest in either graph, since a view saved by the forward
// may cover only a part; 0 for a parameter's. `backward` is one of the graphs of `joint`.
StorageBytes held_storage_bytes(const Graph& joint, const Graph& backward);

// The nodes of `backward`, one of the graphs of `joint`, to hand over: values in its order, then symbolic numbers. Its outputs
// are gradients; `of_weights`: by output, whether it is a weight's. Times are those of fused kernels on the device
// (cost/fused_roofline.h). Empty if what is needed takes no more bytes; then that should be held. A minimum cut with about four
// edges per node. Throws what split_backward does.
std::vector<NodeId> choose_held(const JointGraph& joint, const JointGraph& backward, const std::vector<bool>& of_weights,
                                const DeviceProfile& device);

}  // namespace fxcut
