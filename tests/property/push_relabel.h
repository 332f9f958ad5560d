// Another algorithm of Boost's, to compare ours with.
#pragma once

#include "solve/flow_network.h"

namespace fxcut {

// The maximum flow by Boost's push_relabel_max_flow. `infinity` stands for infinite capacities.
std::int64_t push_relabel_flow(const FlowNetwork& network, std::int64_t infinity);

}  // namespace fxcut
