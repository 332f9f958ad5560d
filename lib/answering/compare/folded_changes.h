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
  std::string place;       // "layers.0-31.mlp", else the source line
};

// The largest first, as `changes` are, by the sums; each change by itself if text_style() does not fold. Alike are changes of one
// kind, bytes, FLOPs, operator, extent and note, in layers that differ only in their numbers.
std::vector<FoldedChange> folded(const std::vector<ValueChange>& changes);

}  // namespace fxcut
