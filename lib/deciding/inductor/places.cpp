#include "inductor/places.h"

#include <optional>
#include <utility>

#include "inductor/accesses.h"

namespace fxcut {
namespace {

Place place_of(const Access& access, const Loops& loops) {
  std::optional<Walk> walk = walk_of(access, loops);
  const bool known = walk.has_value();
  return {access.buffer, access.place, known ? std::move(*walk) : Walk{}, known};
}

}  // namespace

std::vector<Place> read_places(const Kernel& kernel) {
  std::vector<Place> places;
  if (!kernel.loops) return places;
  for (const Access& read : kernel.reads) places.push_back(place_of(read, *kernel.loops));
  return places;
}

std::vector<Place> written_places(const Kernel& kernel) {
  std::vector<Place> places;
  if (!kernel.loops) return places;
  for (const BufferId written : kernel.writes) {
    if (kernel.scatters) places.push_back({written, place_after(0, kernel.node), {}, false});
    else places.push_back(place_of({written, kernel.loops->written, 0}, *kernel.loops));
  }
  return places;
}

}  // namespace fxcut
