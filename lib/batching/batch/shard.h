// A batch in parts, for several processes or machines: each takes its part of one and the same work list.
//
// The parts are balanced by size: each item, largest first, is added to the smallest part so far (ties: the first). The largest
// part is then at most 4/3 of that of the best balance. Only the sizes and the order of the work list matter, so that all
// processes agree without communication.
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

// The value of --shard:
//   3/8      part 3 of 8, which are 0 to 7
//   auto     by the environment of a Slurm array task, whatever its first number and step
//   auto/8   the part that SLURM_ARRAY_TASK_ID or, in a Kubernetes indexed Job, JOB_COMPLETION_INDEX names, of 8
// Throws Failure (Usage) for other values, or if the environment lacks a variable.
Shard parse_shard(const std::string& text, const Environment& environment);

// The positions of the shard's items, in order.
std::vector<std::size_t> items_of(const Shard& shard, const std::vector<std::uintmax_t>& sizes);

}  // namespace fxcut
