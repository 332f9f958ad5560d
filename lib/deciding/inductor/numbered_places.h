// The places that the kernels of a program read and write, by numbers: equal places have one, by which kernels are compared.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "inductor/kernels.h"
#include "inductor/places.h"

namespace fxcut {

using PlaceNumber = std::uint32_t;
inline constexpr PlaceNumber kNotWritten = std::numeric_limits<PlaceNumber>::max();

// What kernels have in common (Scheduler.score_fusion_memory).
struct SharedPlaces {
  std::int64_t bytes = 0, elements = 0;
};

class NumberedPlaces {
 public:
  explicit NumberedPlaces(const Kernels& program);

  BufferId buffer(PlaceNumber place) const { return buffer_at_[place]; }
  const std::vector<PlaceNumber>& reads(KernelId kernel) const { return reads_[kernel]; }

  // Where the kernel that makes a buffer writes it; kNotWritten of a library's result.
  PlaceNumber written(BufferId buffer) const { return written_[buffer]; }

  // That the kernel reads and writes, and the kernels: ascending, each once.
  const std::vector<PlaceNumber>& of(KernelId kernel) const { return places_of_[kernel]; }
  std::vector<PlaceNumber> of(const std::vector<KernelId>& kernels) const;

  // Of two lists that are ascending.
  SharedPlaces shared(const std::vector<PlaceNumber>& a, const std::vector<PlaceNumber>& b) const;

 private:
  std::vector<PlaceNumber> numbers_of(const std::vector<Place>& places);

  const Kernels& program_;
  std::vector<BufferId> buffer_at_;                  // by number
  std::vector<std::vector<PlaceNumber>> reads_, places_of_;  // by kernel
  std::vector<PlaceNumber> written_;                 // by buffer
};

}  // namespace fxcut
