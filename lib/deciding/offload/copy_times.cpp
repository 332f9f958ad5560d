#include "offload/copy_times.h"

#include <algorithm>
#include <limits>

namespace fxcut {

std::vector<double> ends_of_copies(const std::vector<CopyTime>& copies) {
  std::vector<double> ends;
  double free_at = 0;
  for (const CopyTime& copy : copies) {
    free_at = std::max(free_at, copy.at) + copy.duration;
    ends.push_back(free_at);
  }
  return ends;
}

Reloads latest_reloads(const std::vector<CopyTime>& copies) {
  Reloads reloads{std::vector<double>(copies.size()), 0};
  double before = std::numeric_limits<double>::infinity();  // when the next one begins
  for (std::size_t i = copies.size(); i-- > 0;) {
    reloads.begins[i] = before = std::min(before, copies[i].at) - copies[i].duration;
  }
  double free_at = 0;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    reloads.begins[i] = std::max(reloads.begins[i], free_at);
    const double end = reloads.begins[i] + copies[i].duration;
    reloads.waiting += std::max(0.0, end - copies[i].at);
    free_at = std::min(end, copies[i].at);  // while the use waits, the clock stands
  }
  return reloads;
}

}  // namespace fxcut
