#include "model/split_budget.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

constexpr std::int64_t kMaxSums = 2048;  // kept of some graphs together: shares of the limit of 0.05 %

// One point of each of the first graphs.
struct Sum {
  std::int64_t bytes = 0;
  double cost = 0;
  std::size_t before = 0;  // the sum without the last of these graphs
  std::size_t point = 0;   // of that one's frontier
};

// Within the limit, by rising bytes; each costs less than all before it.
using Sums = std::vector<Sum>;

Sums undominated(Sums sums) {
  std::ranges::stable_sort(sums, {}, [](const Sum& sum) { return std::pair(sum.bytes, sum.cost); });
  Sums kept;
  for (const Sum& sum : sums) {
    if (kept.empty() || sum.cost < kept.back().cost) kept.push_back(sum);
  }
  return kept;
}

// The first, and of the others the last of each of kMaxSums equal ranges of bytes.
Sums thinned(const Sums& sums, std::int64_t limit_bytes) {
  const std::int64_t width = (limit_bytes - sums.front().bytes) / kMaxSums + 1;
  Sums kept;
  std::int64_t range = -1;
  for (const Sum& sum : sums) {
    const std::int64_t own = (sum.bytes - sums.front().bytes) / width;
    if (kept.size() > 1 && own == range) kept.back() = sum;
    else kept.push_back(sum);
    range = own;
  }
  return kept;
}

// `least_of_others`: the least bytes of the graphs that are still to come.
Sums with_graph(const Sums& before, const Frontier& frontier, std::int64_t limit_bytes, std::int64_t least_of_others) {
  Sums sums;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t point = 0; point < frontier.size(); ++point) {
      const std::int64_t bytes = before[i].bytes + frontier[point].saved_bytes;
      if (bytes > limit_bytes - least_of_others) break;
      sums.push_back({bytes, before[i].cost + frontier[point].recompute_cost, i, point});
    }
  }
  return thinned(undominated(std::move(sums)), limit_bytes);
}

std::int64_t least_of(const Frontier& frontier) { return frontier.empty() ? 0 : frontier.front().saved_bytes; }

// The cost that a byte saves from that point of the frontier to the next cheaper one; 0 if there is none.
double price_after(const Frontier& frontier, std::size_t point) {
  for (std::size_t to = point + 1; to < frontier.size(); ++to) {
    const double saves = frontier[point].recompute_cost - frontier[to].recompute_cost;
    if (saves > 0) return saves / static_cast<double>(frontier[to].saved_bytes - frontier[point].saved_bytes);
  }
  return 0;
}

}  // namespace

std::int64_t least_bytes(std::span<const Frontier> frontiers) {
  std::int64_t sum = 0;
  for (const Frontier& frontier : frontiers) sum += least_of(frontier);
  return sum;
}

std::optional<BudgetSplit> split_budget(std::span<const Frontier> frontiers, std::int64_t limit_bytes) {
  std::int64_t least_of_others = least_bytes(frontiers);
  if (least_of_others > limit_bytes) return std::nullopt;
  std::vector<Sums> sums = {{Sum{}}};
  for (const Frontier& frontier : frontiers) {
    least_of_others -= least_of(frontier);
    if (!frontier.empty()) sums.push_back(with_graph(sums.back(), frontier, limit_bytes, least_of_others));
  }
  BudgetSplit split{std::vector<std::int64_t>(frontiers.size(), 0), sums.back().back().cost};
  const std::int64_t left_bytes = limit_bytes - sums.back().back().bytes;
  double highest = 0;
  std::optional<std::size_t> dearest;
  std::size_t at = sums.back().size() - 1;
  for (std::size_t graph = frontiers.size(); graph-- > 0;) {
    if (frontiers[graph].empty()) continue;
    const Sum& sum = sums.back()[at];
    split.limits[graph] = frontiers[graph][sum.point].saved_bytes;
    if (const double price = price_after(frontiers[graph], sum.point); price > 0 && price >= highest) {
      highest = price;
      dearest = graph;
    }
    at = sum.before;
    sums.pop_back();
  }
  if (dearest) split.limits[*dearest] += left_bytes;
  return split;
}

}  // namespace fxcut
