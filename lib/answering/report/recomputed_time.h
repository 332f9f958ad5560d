// The time that a step spends recomputing.
#pragma once

#include <vector>

#include "cost/device_profile.h"
#include "finish/run_again.h"
#include "graph/graph.h"
#include "report/shared_calls.h"

namespace fxcut {

// In milliseconds. Recomputed calls of `joint`, those that the backward runs again under a saved state of the generator (which
// `shared` does not have), and those recomputed once more have the price in the joint graph by which the solver chose them
// (cost/fused_roofline.h).
double recomputed_ms(const Graph& joint, const Graph& backward, const std::vector<SharedCall>& shared,
                     const std::vector<RunAgain>& again, const DeviceProfile& device);

}  // namespace fxcut
