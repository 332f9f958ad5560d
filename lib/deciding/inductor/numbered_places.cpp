#include "inductor/numbered_places.h"

#include <algorithm>
#include <cstddef>

#include "inductor/number_lists.h"
#include "inductor/walks.h"

namespace fxcut {
namespace {

void sort_once(std::vector<PlaceNumber>& places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

NumberedPlaces::NumberedPlaces(const Kernels& program, LoopsAre loops) : program_(program), loops_(loops) {
  std::vector<Place> all;
  std::vector<std::size_t> begin, begin_written;  // by kernel, in `all`
  for (const Kernel& kernel : program.kernels) {
    begin.push_back(all.size());
    append_read_places(kernel, loops, all);
    begin_written.push_back(all.size());
    append_written_places(kernel, loops, all);
  }
  begin.push_back(all.size());
  const std::vector<PlaceNumber> number = numbers_of(all);
  written_.assign(program.buffers.size(), kNotWritten);
  reads_.reserve(program.kernels.size());
  places_of_.reserve(program.kernels.size());
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const auto first = number.begin() + static_cast<std::ptrdiff_t>(begin[k]);
    const auto first_written = number.begin() + static_cast<std::ptrdiff_t>(begin_written[k]);
    const auto end = number.begin() + static_cast<std::ptrdiff_t>(begin[k + 1]);
    for (auto written = first_written; written != end; ++written) written_[buffer(*written)] = *written;
    reads_.emplace_back(first, first_written);
    sort_once(places_of_.emplace_back(first, end));
  }
}

std::vector<PlaceNumber> NumberedPlaces::numbers_of(const std::vector<Place>& places) {
  std::vector<NumberLists::Entry> in_buffers;
  in_buffers.reserve(places.size());
  for (std::uint32_t each = 0; each < places.size(); ++each) in_buffers.emplace_back(places[each].buffer, each);
  const NumberLists by_buffer(program_.buffers.size(), in_buffers);
  std::vector<PlaceNumber> numbers(places.size());
  std::vector<std::uint32_t> order;  // of the places in one buffer, which are few
  for (std::size_t buffer = 0; buffer < by_buffer.size(); ++buffer) {
    order.assign(by_buffer[buffer].begin(), by_buffer[buffer].end());
    std::ranges::sort(order, {}, [&](std::uint32_t each) -> const Place& { return places[each]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Place& place = places[order[i]];
      if (i == 0 || place != places[order[i - 1]]) places_.push_back(place);
      numbers[order[i]] = static_cast<PlaceNumber>(places_.size() - 1);
    }
  }
  return numbers;
}

std::vector<PlaceNumber> NumberedPlaces::of(const std::vector<KernelId>& kernels) const {
  std::vector<PlaceNumber> places;
  for (const KernelId kernel : kernels) places.insert(places.end(), of(kernel).begin(), of(kernel).end());
  sort_once(places);
  return places;
}

SharedPlaces NumberedPlaces::shared(const std::vector<PlaceNumber>& a, const std::vector<PlaceNumber>& b) const {
  SharedPlaces shared;
  for (auto in_a = a.begin(), in_b = b.begin(); in_a != a.end() && in_b != b.end();) {
    if (*in_a < *in_b) {
      ++in_a;
    } else if (*in_b < *in_a) {
      ++in_b;
    } else {
      shared.bytes += program_.buffers[buffer(*in_a)].bytes;
      shared.elements += program_.buffers[buffer(*in_a)].elements;
      ++in_a, ++in_b;
    }
  }
  return shared;
}

bool NumberedPlaces::is_as_written(PlaceNumber read) const {
  const PlaceNumber written = written_[buffer(read)];
  if (written == kNotWritten || written == read) return true;
  const Place &a = places_[read], &b = places_[written];
  if (loops_ == LoopsAre::Merged || !a.known || !b.known || a.number != b.number) return false;
  return a.walk.size() != b.walk.size() && merged(a.walk) == merged(b.walk);
}

void NumberedPlaces::renew(KernelId kernel) {
  if (later_.empty()) {
    for (const Place& place : places_) later_.emplace(place, static_cast<PlaceNumber>(later_.size()));
  }
  reads_[kernel].clear();
  for (const Place& place : read_places(program_.kernels[kernel], loops_)) reads_[kernel].push_back(number_of(place));
  places_of_[kernel] = reads_[kernel];
  for (const Place& place : written_places(program_.kernels[kernel], loops_)) {
    places_of_[kernel].push_back(written_[place.buffer] = number_of(place));
  }
  sort_once(places_of_[kernel]);
}

PlaceNumber NumberedPlaces::number_of(const Place& place) {
  const auto [found, is_new] = later_.try_emplace(place, static_cast<PlaceNumber>(places_.size()));
  if (is_new) places_.push_back(place);
  return found->second;
}

}  // namespace fxcut
