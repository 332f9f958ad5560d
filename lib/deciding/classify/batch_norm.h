// Batch norm in training: it normalises by the statistics of the batch, and the running ones go only into their own new values.
//
// aten._native_batch_norm_legit_functional(input, weight, bias, running_mean, running_var, training, ...) returns the normalised
// input, the batch's mean and inverse deviation, and as items 3 and 4 what the running statistics become; the forward then copies
// those to the module's buffers. The call made again in the backward reads the buffers after that copy: its first three items
// are the same all the same. aten.native_batch_norm_backward(grad, input, weight, running_mean, running_var, save_mean,
// save_invstd, train, ...) takes the running statistics too, and with train=True does not look at them. Both follow
// batch_norm_cpu_update_stats_template and batch_norm_backward_cpu_template in ATen/native/Normalization.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The positions of the running statistics among the arguments of both operators.
inline constexpr std::size_t kRunningMean = 3, kRunningVar = 4;
// The first item that depends on them.
inline constexpr std::int64_t kFirstRunningItem = 3;

// Whether only the items from kFirstRunningItem on depend on the call's running statistics.
bool only_updates_running_statistics(const Node& call);

// Whether no result of the call depends on them.
bool ignores_running_statistics(const Node& call);

// The positions of the running statistics among the inputs of such a call.
std::vector<std::uint32_t> running_statistics(const Node& call);

}  // namespace fxcut
