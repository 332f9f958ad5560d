// The reads and writes of a kernel, in a form that is equal if they walk the same memory alike (torch/_inductor/dependencies.py,
// MemoryDep.normalize).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "inductor/kernels.h"
#include "inductor/walks.h"

namespace fxcut {

struct MemoryDep {
  BufferId buffer = 0;
  std::uint64_t number = 0;  // the offset, or that of a place without strides
  Walk walk;
  bool known = true;  // whether `walk` is

  std::strong_ordering operator<=>(const MemoryDep&) const = default;
};

// Whether adjacent loops that an access walks as one count as one.
enum class LoopsAre : std::uint8_t { Merged, Apart };

// In the order of the kernel's reads and writes; empty for a library call.
std::vector<MemoryDep> read_deps(const Kernel& kernel, LoopsAre loops = LoopsAre::Merged);
std::vector<MemoryDep> written_deps(const Kernel& kernel, LoopsAre loops = LoopsAre::Merged);

// The same, appended to `deps`.
void append_read_deps(const Kernel& kernel, LoopsAre loops, std::vector<MemoryDep>& deps);
void append_written_deps(const Kernel& kernel, LoopsAre loops, std::vector<MemoryDep>& deps);

}  // namespace fxcut
