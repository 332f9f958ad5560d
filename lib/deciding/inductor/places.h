// The places in memory that a kernel reads and writes, in a form that is equal for equal places (torch/_inductor/dependencies.py,
// MemoryDep.normalize).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "inductor/kernels.h"
#include "inductor/walks.h"

namespace fxcut {

struct Place {
  BufferId buffer = 0;
  std::uint64_t number = 0;
  Walk walk;
  bool known = true;  // whether `walk` is

  std::strong_ordering operator<=>(const Place&) const = default;
};

// Whether adjacent loops that an access walks as one count as one.
enum class LoopsAre : std::uint8_t { Merged, Apart };

// In the order of the kernel's reads and writes; empty for a library call.
std::vector<Place> read_places(const Kernel& kernel, LoopsAre loops = LoopsAre::Merged);
std::vector<Place> written_places(const Kernel& kernel, LoopsAre loops = LoopsAre::Merged);

// The same, appended to `places`.
void append_read_places(const Kernel& kernel, LoopsAre loops, std::vector<Place>& places);
void append_written_places(const Kernel& kernel, LoopsAre loops, std::vector<Place>& places);

}  // namespace fxcut
