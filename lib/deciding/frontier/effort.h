// What a search may take, and what it has taken.
//
// Work is counted in steps, and not in seconds: equal input ends at the same point on every machine and under any load.
// A clock and the user's interrupt only cut that short. A search ends when it has found nothing better for long, too:
// the longer it took to find the best choice so far, the longer it goes on looking for a better one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "solve/search_end.h"

namespace fxcut {

// Whether work is to end before it would by itself, and why; asked now and then by what may take long.
enum class Halt { No, TimeIsUp, Interrupted };
using HaltRequested = std::function<Halt()>;
inline const HaltRequested kNeverHalt = [] { return Halt::No; };

struct SearchLimits {
  std::int64_t most_steps = 0;  // 0: as many as the size of the graph asks for
  std::int64_t most_parts = 0;  // of branch and bound; 0 for any number
  double gap = 0;               // so near to the bound, as a share of it, a choice is good enough
  HaltRequested halt = kNeverHalt;
};

class Effort {
 public:
  // Of `limits` those of steps and the halt hold. `items`: how large the problem is that is searched.
  Effort(const SearchLimits& limits, std::size_t items);

  // A step is what looking at one item takes, some nanoseconds.
  void take(std::size_t items) { steps_ += static_cast<std::int64_t>(items); }
  // A minimum cut of a network with so many edges.
  void take_cut(std::size_t edges);
  // That a better choice was found.
  void note_better() { better_at_ = steps_; }
  // From here on what finds nothing better for long ends.
  void watch_for_stagnation() { watched_from_ = steps_; }

  // Once spent, it remains so.
  bool is_spent();
  // By what, where it is.
  std::optional<EndedBy> ended_by() const { return ended_by_; }
  std::int64_t steps() const { return steps_; }

 private:
  std::optional<EndedBy> find_end() const;

  std::int64_t most_steps_;
  HaltRequested halt_;
  std::int64_t steps_ = 0, better_at_ = 0;
  std::optional<std::int64_t> watched_from_;
  std::optional<EndedBy> ended_by_;
};

}  // namespace fxcut
