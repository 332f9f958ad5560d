// The memory that saving keeps alive, by module, layers that repeat folded.
//
// Paths of modules ("model.layers.3.mlp") make a tree; a saved value counts in the module that it comes from, with the
// bytes that it keeps alive (kept_bytes() in cost/storage.h: each storage with one value, parameters with none). So
// every byte of the report's saved_bytes_not_static lies in one module, and a module's bytes are its own and its
// children's.
//
// Layers (layers/layers.h) that have the same modules below them are folded into one that stands for all: its bytes are
// their sum, and so are those of each module below it. Nothing is lost by folding, and `members` still has each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/report.h"

namespace fxcut {

struct ModuleBytes {
  std::string name;               // the last part of its path; "0-31" of folded layers; empty of the root
  std::string path;               // "model.layers.0-31.mlp"; empty of the root
  std::int64_t bytes = 0;         // with all below it
  std::int64_t own_bytes = 0;     // of values that come from the module itself; the root's: from no module
  std::size_t values = 0;         // saved values that count in it or below
  std::size_t repeats = 1;        // how many layers it stands for
  std::vector<ModuleBytes> children;
  std::vector<ModuleBytes> members;  // the layers that it stands for, where it is folded
};

// The root of the tree, which has all that counts. Children are in the order of their first values; folded ones stand
// where the first of them did.
ModuleBytes module_bytes(const Report& report);

}  // namespace fxcut
