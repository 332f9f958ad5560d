// The saved values that are quantized.
#pragma once

#include <set>
#include <string_view>

#include "extract/forward_backward.h"
#include "graph/graph.h"
#include "settings/activation_quantization.h"

namespace fxcut {

// The names, in the joint graph and in both sides, of the saved values that PyTorch's should_quantize takes and that are no
// static lifetime inputs. Throws as quantize_activations.
std::set<std::string_view> values_to_quantize(const Graph& forward, const Crossing& crossing, const JointGraph& joint,
                                              const ActivationQuantization& options);

}  // namespace fxcut
