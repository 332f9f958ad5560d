// Partitions to damage: what a verifier is tested with.
#pragma once

#include <string>
#include <vector>

#include "json_graph.h"
#include "settings/settings.h"
#include "verify_partition.h"

namespace fxcut {

struct SoundPartition {
  Json joint;
  WrittenPartition written;
};

// That of a graph of testdata, by its path in there.
SoundPartition sound_partition(const std::string& graph_path, const Settings& settings);

// Throws where there is none.
Json& node_named(Json& graph, const std::string& name);

bool one_begins(const std::vector<std::string>& problems, const std::string& beginning);

}  // namespace fxcut
