// Two computations at once that share nothing that either writes: the outcome is that of one after the other.
#pragma once

#include <cstddef>
#include <future>
#include <utility>

namespace fxcut {

// Nodes from which on a pass over a graph, of 0.3 us a node or more, is worth a thread, which takes 0.05 ms to start.
inline constexpr std::size_t kNodesWorthAThread = 5'000;

// What both return. The first runs on a thread of its own where the graph has nodes enough and there is a thread to be
// had; else after the second, here. Of two failures the first's is thrown. What is called may be copied: it had better
// refer to what it works on.
template <typename First, typename Second>
auto at_once(std::size_t nodes, First first, Second second) {
  const auto policy = nodes < kNodesWorthAThread ? std::launch::deferred : std::launch::async | std::launch::deferred;
  auto other = std::async(policy, first);
  auto here = [&] {
    try {
      return second();
    } catch (...) {
      other.get();
      throw;
    }
  }();
  return std::pair(other.get(), std::move(here));
}

}  // namespace fxcut
