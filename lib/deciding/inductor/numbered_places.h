// Numbers the places that the kernels of a program read and write: equal places share a number, by which kernels are compared.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
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
  // `program` outlives it.
  NumberedPlaces(const Kernels& program, LoopsAre loops);

  BufferId buffer(PlaceNumber place) const { return places_[place].buffer; }
  const Place& place(PlaceNumber place) const { return places_[place]; }
  const std::vector<PlaceNumber>& reads(KernelId kernel) const { return reads_[kernel]; }

  // Where its kernel writes a buffer; kNotWritten for a library's result.
  PlaceNumber written(BufferId buffer) const { return written_[buffer]; }

  // Whether a read matches the write of its buffer, or that is unknown (Scheduler.fusable_read_and_write). Unmerged loops are
  // merged for the comparison if their numbers differ.
  bool is_as_written(PlaceNumber read) const;

  // The places that the kernel, or any of the kernels, reads and writes: ascending, each once.
  const std::vector<PlaceNumber>& of(KernelId kernel) const { return places_of_[kernel]; }
  std::vector<PlaceNumber> of(const std::vector<KernelId>& kernels) const;

  // Both lists are ascending.
  SharedPlaces shared(const std::vector<PlaceNumber>& a, const std::vector<PlaceNumber>& b) const;

  // To call when the loops of a kernel were reordered.
  void renew(KernelId kernel);

 private:
  std::vector<PlaceNumber> numbers_of(const std::vector<Place>& places);
  PlaceNumber number_of(const Place& place);

  const Kernels& program_;
  const LoopsAre loops_;
  std::vector<Place> places_;                        // by number
  std::vector<std::vector<PlaceNumber>> reads_, places_of_;  // by kernel
  std::vector<PlaceNumber> written_;                 // by buffer
  std::map<Place, PlaceNumber> later_;               // all places, once a kernel was renewed
};

}  // namespace fxcut
