// The activations held by module, with repeated layers folded.
//
// Paths of modules ("model.layers.3.mlp") form a tree; a saved value counts in its module, with the bytes that it holds
// (SavedValue::held_bytes(): each storage once, parameters not at all, and a compressed value as the form that crosses). So every
// byte of the activations held is in one module, and a module's bytes are its own plus its children's.
//
// Layers (report/layers.h) with the same modules below them are folded into one, whose bytes are their sum; so are the
// bytes of each module below it. `members` still has each of the layers.
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
  std::size_t values = 0;         // saved values of the module and below
  std::size_t repeats = 1;        // the number of folded layers
  std::vector<ModuleBytes> children;
  std::vector<ModuleBytes> members;  // the folded layers
};

// The root of the tree. Children are in the order of their first values; folded ones are at the position of the first.
ModuleBytes module_bytes(const Report& report);

}  // namespace fxcut
