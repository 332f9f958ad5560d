// --max-memory: the most memory of the process. The system enforces it: an allocation above it fails (std::bad_alloc), in any
// pass, and ends the work like other failures.
#pragma once

#include <new>
#include <string>

#include "diagnostic/diagnostic.h"
#include "read/decompress.h"

namespace fxcut {

// Limits the process and its children to `size` from now on: heap, writable mappings and stacks of threads (RLIMIT_DATA), not
// the program's code. Throws Failure (Usage) if `size` is not a size or is too small.
void cap_memory(const std::string& size);

// The allowed expansion of compressed files: any, if memory has a cap.
Expansion allowed_expansion();

// The failure if memory ran out while `file` was used; empty: no particular file. Raises the cap a little, for the message.
Failure out_of_memory(const std::string& file);

// Runs `action`, which uses `file`; if memory runs out, throws the failure with the file's name.
template <typename Action>
auto within_memory(const std::string& file, Action action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    throw out_of_memory(file);
  }
}

}  // namespace fxcut
