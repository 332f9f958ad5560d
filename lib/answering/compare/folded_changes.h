// Changes of alike values in repeated layers, as one row each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compare/difference.h"

namespace fxcut {

struct FoldedChange {
  ValueChange change;      // the first one, with the bytes and FLOPs of all
  std::size_t values = 1;  // the number of changes
  std::string place;       // "layers.0-31.mlp", otherwise the source line
};

// Largest sum first, as `changes` are; one row per change if text_style() does not fold. Changes are alike if they have the same
// kind, bytes, FLOPs, operator, extent and note, in layers that differ only in their numbers.
std::vector<FoldedChange> folded(const std::vector<ValueChange>& changes);

}  // namespace fxcut
