// The output directory of a batch, in which nothing is ever half there:
//
//     graphs/NAME/        what came of one graph: forward.json, backward.json, report.json, and result.json, its line
//     results.jsonl       the lines of all graphs, in the order of the work list; there once all are worked on
//     summary.json        with it; so model.json and ranks.json, of a batch with --model and --ranks
//     shards/             of a batch in shards: the work list, and the lines of each shard, once all of it is worked on
//     unfinished/RUN/     what runs are at; gone when they end
//
// A directory of a graph is written below unfinished/ and renamed. So the directories in graphs/ are all the record
// there is of what is done, and a run that was killed leaves nothing but unfinished/, which the next one removes. What
// is no regular file, such as a device, is neither replaced nor removed.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "write/files.h"

namespace fxcut {

class OutputTree {
 public:
  // Makes the directory if need be and keeps other runs of that name out. A run that `is_alone` removes what any other
  // has left behind. Throws Failure (FileTrouble).
  OutputTree(std::filesystem::path directory, const std::string& run, bool is_alone);
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;
  ~OutputTree();

  // Puts the files of a graph in place, all at once, and those that are there away. These two may be called in several
  // processes, for different graphs.
  void put_graph(const std::string& name, const std::vector<OutputFile>& files) const;
  // Removes them.
  void drop_graph(const std::string& name) const;

  // Puts a file in place, whole. They throw Failure (FileTrouble).
  void put_file(const std::string& name, std::string_view content) const;
  // Removes it, where it is there.
  void drop_file(const std::string& name) const;

 private:
  std::filesystem::path directory_, unfinished_;
  bool is_new_;
  int lock_ = -1;
};

// Those that are there once all is done.
inline constexpr std::array<const char*, 4> kFilesOfAll = {"results.jsonl", "summary.json", "model.json", "ranks.json"};

// The path from the directory on, links followed; it begins with ".." where the directory does not hold it.
std::filesystem::path path_below(const std::filesystem::path& directory, const std::filesystem::path& path);

// Whether a batch with that output directory has put this file or directory there, now or before. Others may be there.
bool is_result(const std::filesystem::path& path, const std::filesystem::path& directory);

// Where the files of the graph are.
std::filesystem::path graph_directory(const std::filesystem::path& directory, std::string_view name);

}  // namespace fxcut
