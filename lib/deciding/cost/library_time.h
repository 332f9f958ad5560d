// How long a device takes for a library call, or for an operator that is a kernel of its own.
//
// The time is that of arithmetic or memory, whichever is longer (cost/fused_roofline.h), and of the shorter the share that the
// other does not hide (KernelTimes::exposed_traffic): a CPU core packs the operands of a product before it multiplies them, which
// makes the small products of attention slower than large ones. If the profile has the device's
// KernelTimes, the arithmetic is modelled by its kernels:
//
//   product      Its result is cut into tiles, which are dealt out to the multiprocessors; all wait for the one with the most.
//                So 132 of them take 128 tiles in the time of 32, and 133 in twice that. A result of few tiles is cut along its
//                inner side as well, and the parts are summed.
//   convolution  The same for its implicit product. In half precision the kernels read and write channels last; channels-first
//                tensors are copied within the call.
//   attention    Half of the scores if it is causal. Heads of up to 64 features, an added bias and the backward run at lower
//                rates.
//
// And a kernel takes a minimum time, however small.
#pragma once

#include "cost/device_profile.h"
#include "graph/graph.h"

namespace fxcut {

// Milliseconds of a call that moves `bytes`.
double library_ms(const Graph& graph, const Node& call, double bytes, const DeviceProfile& device);

}  // namespace fxcut
