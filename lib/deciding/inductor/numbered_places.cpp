#include "inductor/numbered_places.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace fxcut {
namespace {

void sort_once(std::vector<PlaceNumber>& places) {
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

NumberedPlaces::NumberedPlaces(const Kernels& program) : program_(program) {
  std::vector<Place> all;
  std::vector<std::size_t> begin, begin_written;  // by kernel, in `all`
  for (const Kernel& kernel : program.kernels) {
    begin.push_back(all.size());
    std::ranges::move(read_places(kernel), std::back_inserter(all));
    begin_written.push_back(all.size());
    std::ranges::move(written_places(kernel), std::back_inserter(all));
  }
  begin.push_back(all.size());
  const std::vector<PlaceNumber> number = numbers_of(all);
  written_.assign(program.buffers.size(), kNotWritten);
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const auto first = number.begin() + static_cast<std::ptrdiff_t>(begin[k]);
    const auto first_written = number.begin() + static_cast<std::ptrdiff_t>(begin_written[k]);
    const auto end = number.begin() + static_cast<std::ptrdiff_t>(begin[k + 1]);
    for (auto written = first_written; written != end; ++written) written_[buffer_at_[*written]] = *written;
    reads_.emplace_back(first, first_written);
    sort_once(places_of_.emplace_back(first, end));
  }
}

std::vector<PlaceNumber> NumberedPlaces::numbers_of(const std::vector<Place>& places) {
  std::vector<std::uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t each) -> const Place& { return places[each]; });
  std::vector<PlaceNumber> numbers(places.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Place& place = places[order[i]];
    if (i == 0 || place != places[order[i - 1]]) buffer_at_.push_back(place.buffer);
    numbers[order[i]] = static_cast<PlaceNumber>(buffer_at_.size() - 1);
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
  std::vector<PlaceNumber> places;
  std::ranges::set_intersection(a, b, std::back_inserter(places));
  SharedPlaces shared;
  for (const PlaceNumber place : places) {
    shared.bytes += program_.buffers[buffer_at_[place]].bytes;
    shared.elements += program_.buffers[buffer_at_[place]].elements;
  }
  return shared;
}

}  // namespace fxcut
