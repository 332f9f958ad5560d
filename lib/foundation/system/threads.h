// Computations on threads of their own, and the distance of data that threads do not share.
#pragma once

#include <cstddef>
#include <future>
#include <utility>

#include "system/held_signals.h"

namespace fxcut {

// The least number of nodes for which a pass over a graph, of 0.3 us a node or more, is worth a thread, which takes
// 0.05 ms to start.
inline constexpr std::size_t kNodesWorthAThread = 5'000;

// The way to launch a computation on that many nodes: on a thread of its own if one is available, or when its result is asked
// for.
inline std::launch launch_for(std::size_t nodes) {
  return nodes < kNodesWorthAThread ? std::launch::deferred : std::launch::async | std::launch::deferred;
}

// std::async() on a thread that SIGHUP, SIGINT and SIGTERM do not interrupt. Otherwise, while it runs, they could stop the
// program in the middle of what another thread holds them for, such as putting files in place.
template <typename Computation>
auto begin_beside(std::launch where, Computation computation) {
  const HeldSignals held;  // the new thread inherits it
  return std::async(where, std::move(computation));
}

// Both results of computations that share no data that either writes: the same as of one after the other. The first runs on a
// thread of its own if the graph has enough nodes and a thread is available; otherwise here, after the second. If both fail, the
// first's failure is thrown. The callables may be copied and should capture by reference.
template <typename First, typename Second>
auto at_once(std::size_t nodes, First first, Second second) {
  auto other = begin_beside(launch_for(nodes), std::move(first));
  auto here = [&] {
    try {
      return second();
    } catch (...) {
      static_cast<void>(other.get());
      throw;
    }
  }();
  return std::pair(other.get(), std::move(here));
}

// False sharing: a cache line that one thread writes to has to be fetched again by each other thread that reads
// anything in it, which takes longer than most of the work there. Data that a thread changes often is on lines of its
// own, by alignas.
inline constexpr std::size_t kCacheLine = 64;  // bytes, on x86-64 and most of ARM

}  // namespace fxcut
