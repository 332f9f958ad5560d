// The files of shards in DIR/shards: the names of the whole work list, and the lines of each finished shard. Joined they are the
// lines of the batch in one run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/output_tree.h"
#include "batch/work_list.h"

namespace fxcut {

// A batch in parts, for several processes or machines: each takes its part of one and the same work list.
//
// The parts are balanced by size: each item, largest first, is added to the smallest part so far (ties: the first). The largest
// part is then at most 4/3 of that of the best balance. Only the sizes and the order of the work list matter, so that all
// processes agree without communication.

struct Shard {
  std::size_t index = 0;  // from 0
  std::size_t count = 1;

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

// Before a shard begins: writes the work list, whose `id` is its work_list_id, and removes the shard's lines of an earlier run,
// and those of another number of shards.
void announce_shard(const OutputTree& tree, const std::filesystem::path& directory, const Shard& shard,
                    const std::vector<WorkItem>& items, std::string_view id);

// After it: writes its lines, in the order of the work list.
void finish_shard(const OutputTree& tree, const Shard& shard, const std::vector<std::string>& lines, std::string_view id);

// Removes the files of shards, which a batch in one run makes stale.
void drop_shards(const OutputTree& tree, const std::filesystem::path& directory);

struct JoinedShards {
  std::vector<std::string> lines;  // in the order of the work list
  std::size_t shards = 0;          // their number
  std::vector<std::size_t> missing_shards;
  std::vector<std::string> missing_names;  // without a line, or without the results of their line
};

// Joins the lines in DIR/shards. Throws Failure: (FileTrouble) if there are no shards; (BadInput) if a file is damaged, or shards
// are of another work list or another number of shards.
JoinedShards join_shards(const std::filesystem::path& directory);

}  // namespace fxcut
