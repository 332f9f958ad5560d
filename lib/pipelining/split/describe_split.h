// The values that a backward in two parts holds between them, as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "split/split_backward.h"

namespace fxcut {

struct PartFigures {
  std::size_t operators = 0;
  std::size_t gradients = 0;  // that are computed
};

struct HeldValue {
  std::string name;
  bool is_computed = false;  // by the first part; false: saved by the forward
  std::int64_t bytes = 0;    // that it holds in addition to those before it, of its whole storage; 0 of a parameter
};

struct BackwardSplit {
  std::size_t operators = 0;  // of the backward
  PartFigures input, weight;
  std::vector<HeldValue> held;  // in the order in which the first part returns them
};

// The figures of `parts`, made from `backward`, one of the graphs of `joint`; without them, those of a backward with only one
// kind of gradient.
BackwardSplit describe_split(const JointGraph& joint, const JointGraph& backward, const std::vector<bool>& of_weights,
                             const std::optional<BackwardParts>& parts);

std::string split_text(const BackwardSplit& split);

// One object, schemas/split.schema.json.
std::string split_json(const BackwardSplit& split);

}  // namespace fxcut
