// Three algorithms for the maximum flow agree on its value: ours, Edmonds and Karp's, and push-relabel.
#include <gtest/gtest.h>

#include <algorithm>
#include <queue>

#include "push_relabel.h"
#include "random_network.h"

namespace fxcut {
namespace {

// Edmonds and Karp: while there is a path of spare capacity, fill a shortest one.
class EdmondsKarp {
 public:
  EdmondsKarp(const FlowNetwork& network, std::int64_t infinity)
      : size_(network.vertices), source_(network.source), sink_(network.sink), spare_(size_ * size_, 0) {
    for (const FlowEdge& edge : network.edges) {
      spare(edge.from, edge.to) += edge.infinite ? infinity : static_cast<std::int64_t>(edge.capacity);
    }
  }

  std::int64_t flow() {
    std::int64_t flow = 0;
    while (find_path()) {
      std::int64_t pushed = spare(before_[sink_], sink_);
      for (Vertex v = sink_; v != source_; v = before_[v]) pushed = std::min(pushed, spare(before_[v], v));
      for (Vertex v = sink_; v != source_; v = before_[v]) {
        spare(before_[v], v) -= pushed;
        spare(v, before_[v]) += pushed;
      }
      flow += pushed;
    }
    return flow;
  }

 private:
  std::int64_t& spare(Vertex from, Vertex to) { return spare_[from * size_ + to]; }

  bool find_path() {
    before_.assign(size_, sink_);
    std::vector<bool> seen(size_, false);
    std::queue<Vertex> open;
    open.push(source_);
    seen[source_] = true;
    while (!open.empty() && !seen[sink_]) {
      const Vertex at = open.front();
      open.pop();
      for (Vertex to = 0; to < size_; ++to) {
        if (seen[to] || spare(at, to) == 0) continue;
        seen[to] = true;
        before_[to] = at;
        open.push(to);
      }
    }
    return seen[sink_];
  }

  std::size_t size_;
  Vertex source_, sink_;
  std::vector<std::int64_t> spare_;
  std::vector<Vertex> before_;
};

TEST(ThreeSolvers, AgreeOnTheValueOfTheMinimumCut) {
  constexpr std::uint32_t kSolverNetworks = 300;
  constexpr std::int64_t kInfinity = std::int64_t{1} << 40;
  int finite = 0;
  for (std::uint32_t seed = 1; seed <= kSolverNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork network = random_network(random, {.inner = 10 + seed % 60,
                                                        .density = 0.02 + 0.04 * (seed % 4),
                                                        .infinite = 0.05,
                                                        .largest_capacity = seed % 2 == 0 ? 3 : 1'000'000});
    if (!infinite_path(network).empty()) continue;
    ++finite;
    const std::int64_t value = EdmondsKarp(network, kInfinity).flow();
    EXPECT_EQ(static_cast<std::int64_t>(solve_min_cut(network, CutSide::NearestBackward).value), value);
    EXPECT_EQ(static_cast<std::int64_t>(solve_min_cut(network, CutSide::NearestForward).value), value);
    EXPECT_EQ(push_relabel_flow(network, kInfinity), value);
  }
  EXPECT_GT(finite, 100);
}

}  // namespace
}  // namespace fxcut
