// All minimum cuts of small networks, as a lattice, against all of their cuts.
#include "solve/minimum_cuts.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "all_cuts.h"
#include "random_network.h"
#include "solve/push_flow.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kCutNetworks = 1500;

std::set<SinkSide> all_minimum_cuts(const FlowNetwork& network) {
  const AllCuts all = find_all_cuts(network);
  return {all.minimum.begin(), all.minimum.end()};
}

SinkSide bits_of(const std::vector<Vertex>& vertices) {
  SinkSide bits = 0;
  for (const Vertex v : vertices) bits |= SinkSide{1} << v;
  return bits;
}

SinkSide first_side(const MinimumCuts& cuts, const FlowNetwork& network) {
  SinkSide side = 0;
  for (Vertex v = 0; v + 2 < network.vertices; ++v) side |= SinkSide{cuts.sink_side[v]} << v;
  return side;
}

// Every set of components that holds what each of them needs.
std::set<SinkSide> all_closed_sets(const MinimumCuts& cuts, SinkSide first) {
  std::set<SinkSide> sides;
  for (std::uint32_t taken = 0; taken < std::uint32_t{1} << cuts.components.size(); ++taken) {
    bool is_closed = true;
    SinkSide side = first;
    for (std::size_t c = 0; c < cuts.components.size(); ++c) {
      if ((taken >> c & 1) == 0) continue;
      side |= bits_of(cuts.components[c]);
      for (const std::uint32_t needed : cuts.needs[c]) is_closed = is_closed && (taken >> needed & 1) != 0;
    }
    if (is_closed) sides.insert(side);
  }
  return sides;
}

TEST(MinimumCutsByBruteForce, AreTheClosedSetsOfTheLattice) {
  std::size_t several = 0;
  for (std::uint32_t seed = 1; seed <= kCutNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork network =
        random_network(random, {.inner = seed % 10 + 1, .density = 0.15 + 0.1 * (seed % 5), .infinite = 0.2});
    if (!infinite_path(network).empty()) continue;
    const MinimumCuts cuts = find_minimum_cuts(network);
    const SinkSide first = first_side(cuts, network);
    EXPECT_TRUE(cuts.value == value_of(network, first));
    const std::set<SinkSide> tagged = all_minimum_cuts(network);
    EXPECT_EQ(all_closed_sets(cuts, first), tagged);
    SinkSide prefix = first;
    for (const auto& component : cuts.components) {
      prefix |= bits_of(component);
      EXPECT_TRUE(tagged.contains(prefix));
    }
    several += tagged.size() > 2 ? 1u : 0u;
    if (HasFailure()) return;
  }
  EXPECT_GT(several, kCutNetworks / 20) << "the networks hardly test ties";
}

// Also in networks with long paths, each vertex of which adds to the flow.
FlowNetwork random_ladder(std::mt19937& random, Vertex rungs) {
  std::uniform_int_distribution<int> capacity(0, 4), ahead(1, 3);
  FlowNetwork network{.vertices = rungs + 2, .source = rungs, .sink = rungs + 1, .edges = {}};
  for (Vertex v = 0; v < rungs; ++v) {
    network.edges.push_back({network.source, v, capacity(random)});
    network.edges.push_back({v, v + 1 < rungs ? v + 1 : network.sink, capacity(random) * 9, v % 3 == 0 && v + 1 < rungs});
    const Vertex to = v + 4 + static_cast<Vertex>(ahead(random));
    if (to < rungs) network.edges.push_back({v, to, capacity(random)});
    if (v % 5 == 0 && v > 7) network.edges.push_back({v, v - 7, capacity(random)});
    if (v % 4 == 0 && v + 1 < rungs) network.edges.push_back({v, network.sink, capacity(random)});
  }
  return network;
}

void expect_same_cuts(const FlowNetwork& network) {
  Residual by_paths(network), by_pushing(network);
  EXPECT_TRUE(find_max_flow(network, by_paths) == push_max_flow(network, by_pushing));
  EXPECT_EQ(reached(by_paths, network.source, false), reached(by_pushing, network.source, false));
  EXPECT_EQ(reached(by_paths, network.sink, true), reached(by_pushing, network.sink, true));
  std::vector<Int128> kept(network.vertices, 0);
  for (Vertex v = 0; v < network.vertices; ++v) {
    for (std::uint32_t e = by_pushing.begin[v]; e < by_pushing.begin[v + 1]; ++e) {
      ASSERT_TRUE(by_pushing.left[e] >= 0);
      kept[v] += by_pushing.capacity[e] - by_pushing.left[e];
    }
    EXPECT_TRUE(kept[v] == 0 || v == network.source || v == network.sink) << "vertex " << v << " keeps flow";
  }
}

TEST(PushFlow, HasTheSameCutsAsPaths) {
  for (std::uint32_t seed = 1; seed <= kCutNetworks; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const FlowNetwork dense =
        random_network(random, {.inner = seed % 30 + 1, .density = 0.1 + 0.1 * (seed % 5), .infinite = 0.2});
    if (infinite_path(dense).empty()) expect_same_cuts(dense);
    expect_same_cuts(random_ladder(random, seed % 200 + 2));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace fxcut
