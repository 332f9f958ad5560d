// Forms that several JSON outputs share.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// An array of what `show` makes of each row.
template <typename Rows, typename Show>
nlohmann::ordered_json json_list(const Rows& rows, const Show& show) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& row : rows) json.push_back(show(row));
  return json;
}

// Sizes as graph files have them.
nlohmann::ordered_json shape_json(const Sizes& shape);

// Adds what is known of module, source and checkpoint_name.
void add_provenance(const Provenance& provenance, nlohmann::ordered_json& json);

}  // namespace fxcut
