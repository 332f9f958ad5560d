// What the shards of a batch leave for each other in DIR/shards: the names of the whole work list, and for each shard
// that has been through its part the lines of it. Joined they are those of the batch in one piece.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "batch/output_tree.h"
#include "batch/shard.h"
#include "batch/work_list.h"

namespace fxcut {

// Before a shard begins: puts down the work list, whose `id` is its work_list_id, and removes the shard's lines of an
// earlier run, and those of shards of another number of shards.
void announce_shard(const OutputTree& tree, const std::filesystem::path& directory, const Shard& shard,
                    const std::vector<WorkItem>& items, std::string_view id);

// Once it is through: puts down its lines, in the order of the work list.
void finish_shard(const OutputTree& tree, const Shard& shard, const std::vector<std::string>& lines,
                  std::string_view id);

// Removes what shards have left: a batch in one piece makes it stale.
void drop_shards(const OutputTree& tree, const std::filesystem::path& directory);

struct JoinedShards {
  std::vector<std::string> lines;  // in the order of the work list
  std::size_t shards = 0;          // how many there are to be
  std::vector<std::size_t> missing_shards;
  std::vector<std::string> missing_names;  // of which there is no line, or no results that are the line's
};

// Joins what is in DIR/shards. Throws Failure: (FileTrouble) where no shards are there; (BadInput) where a file is
// damaged, or shards are of another work list or another number of shards.
JoinedShards join_shards(const std::filesystem::path& directory);

}  // namespace fxcut
