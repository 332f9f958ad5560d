// All minimum cuts of small networks, as a lattice, against all of their cuts.
#include "solve/minimum_cuts.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "all_cuts.h"
#include "random_network.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kNetworks = 1500;

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
  for (std::uint32_t seed = 1; seed <= kNetworks; ++seed) {
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
  EXPECT_GT(several, kNetworks / 20) << "the networks hardly test ties";
}

}  // namespace
}  // namespace fxcut
