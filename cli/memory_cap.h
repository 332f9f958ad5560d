// --max-memory: how much memory the process may hold. The system keeps to it, not an estimate of ours: an allocation
// beyond it fails (std::bad_alloc), in whatever stage that is, and the work ends as other failures end it.
#pragma once

#include <new>
#include <string>

#include "diagnostic/diagnostic.h"
#include "read/decompress.h"

namespace fxcut {

// Holds the process, and each that it starts for itself, to `size` from now on: its heap, what it maps to write, and
// the stacks of its threads (RLIMIT_DATA), not the program's code. Throws Failure (Usage) where `size` is none, as
// those of other options are, or too small to run in.
void cap_memory(const std::string& size);

// How far compressed files may unfold: where the memory has a cap, no proportion needs to hold them back.
Expansion allowed_expansion();

// The failure where memory ran out while `file` was read or used; empty: no particular file. With it a little more may be
// held than the cap, so that there is room to say it.
Failure out_of_memory(const std::string& file);

// Does what reads `file` or works on it; where memory runs out, that is told of the file.
template <typename Action>
auto within_memory(const std::string& file, Action action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    throw out_of_memory(file);
  }
}

}  // namespace fxcut
