// Arguments with keywords and dictionary members sorted by name, so that their order does not depend on who wrote the file.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/argument.h"
#include "graph/graph.h"

namespace fxcut {

struct ArgumentsByName {
  Arguments arguments;                // whose references are numbered in their order
  std::vector<std::uint32_t> inputs;  // for each of these references, its position among the inputs before
};

bool are_by_name(const Arguments& arguments);

ArgumentsByName by_name(Arguments arguments);

// The inputs at these positions.
std::vector<NodeId> inputs_at(const std::vector<std::uint32_t>& positions, const std::vector<NodeId>& inputs);

}  // namespace fxcut
