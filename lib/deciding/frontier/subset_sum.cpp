#include "frontier/subset_sum.h"

#include <algorithm>
#include <numeric>

namespace fxcut {
namespace {

constexpr std::int64_t kMostSums = 1 << 16, kLeastSums = 1 << 10;
constexpr std::int64_t kMostWork = 1 << 27;  // sizes times steps: a few tenths of a second
constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace

std::vector<bool> smallest_cover(const std::vector<std::int64_t>& sizes, std::int64_t at_least) {
  std::vector<bool> taken(sizes.size(), false);
  if (at_least <= 0) return taken;
  std::int64_t all = 0, divisor = 0;
  for (const std::int64_t size : sizes) {
    all += size;
    divisor = std::gcd(divisor, size);
  }
  if (all <= at_least) return std::vector<bool>(sizes.size(), true);
  // Maximizes the sum of the sizes left out, which are rounded up so that enough is taken.
  const std::int64_t room = all - at_least;
  const std::int64_t most_sums = std::clamp(kMostWork / static_cast<std::int64_t>(sizes.size()), kLeastSums, kMostSums);
  const std::int64_t step = std::max(divisor, room / most_sums + 1);
  const auto steps = static_cast<std::size_t>(room / step);
  std::vector<std::uint32_t> last(steps + 1, kNone);  // by sum in steps, the item that reached it first
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < sizes.size(); ++i) {
    const auto size = static_cast<std::size_t>((sizes[i] + step - 1) / step);
    for (std::size_t sum = std::min(steps, most + size); sum >= size && sum > 0; --sum) {
      if (last[sum] == kNone && (sum == size || last[sum - size] != kNone)) {
        last[sum] = i;
        most = std::max(most, sum);
      }
    }
  }
  taken.assign(sizes.size(), true);
  for (std::size_t sum = most; sum > 0;) {
    const std::uint32_t item = last[sum];
    taken[item] = false;
    sum -= static_cast<std::size_t>((sizes[item] + step - 1) / step);
  }
  return taken;
}

}  // namespace fxcut
