// A batch in parts, for several processes or machines: each takes its part of one and the same work list.
//
// The parts are balanced by size: the items, largest first, go each to the part that has least so far (ties: to the
// first). None then has more than 4/3 of what the best balance would leave the fullest with. Nothing but the sizes
// and the order of the work list matters, so that all agree without speaking to each other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fxcut {

struct Shard {
  std::size_t index = 0;  // from 0
  std::size_t count = 1;

  bool is_all() const { return count == 1; }
  std::string name() const;  // "3-of-8"
};

// A variable of the environment, or null.
using Environment = std::function<const char*(const char*)>;

// What --shard says:
//   3/8      part 3 of 8, which are 0 to 7
//   auto     as the environment of a Slurm array task says, whatever its first number and its step
//   auto/8   the part that SLURM_ARRAY_TASK_ID or, in a Kubernetes indexed Job, JOB_COMPLETION_INDEX names, of 8
// Throws Failure (Usage) where it is none of these, or the environment does not say what is needed.
Shard parse_shard(const std::string& text, const Environment& environment);

// The positions of the shard's items, in order.
std::vector<std::size_t> items_of(const Shard& shard, const std::vector<std::uintmax_t>& sizes);

}  // namespace fxcut
