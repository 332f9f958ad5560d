// Partitions that are broken in one place: each of the changes gives a partition that computes something else, or a
// report that says something else.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "partition/partition.h"

namespace fxcut {

struct WrittenSides {
  JointGraph forward, backward;
  nlohmann::json report;
};

// A side of a partition as a reader of its file has it.
JointGraph side_of(Graph graph, const Partition& made, const JointGraph& joint);

// A change, and its name.
struct Breaking {
  const char* name;
  // Makes the change somewhere, and returns where; nullopt if there is no such place.
  std::optional<std::string> (*apply)(WrittenSides& sides, std::mt19937& random);
};

const std::vector<Breaking>& breakings();

}  // namespace fxcut
