// Forms that several JSON outputs share.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Sizes as graph files have them.
nlohmann::ordered_json shape_json(const std::vector<Size>& shape);

// Adds what is known of module, source and checkpoint_name.
void add_provenance(const Provenance& provenance, nlohmann::ordered_json& json);

}  // namespace fxcut
