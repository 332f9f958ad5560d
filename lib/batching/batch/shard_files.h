// The files of shards in DIR/shards: the names of the whole work list, and the lines of each finished shard. Joined they are the
// lines of the batch in one run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "batch/output_tree.h"
#include "batch/shard.h"
#include "batch/work_list.h"

namespace fxcut {

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
