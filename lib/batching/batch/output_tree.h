// The output directory of a batch, in which nothing is ever incomplete:
//
//     graphs/NAME/        the results of one graph: forward.json, backward.json, report.json, and result.json, its line;
//                         with --html also report.html
//     results.jsonl       the lines of all graphs, in the order of the work list; written at the end
//     summary.json        the same; so are model.json and ranks.json, with --model and --ranks
//     shards/             of a batch in shards: the work list, and the lines of each finished shard
//     unfinished/RUN/     unfinished files of runs; removed when they end
//
// A directory of a graph is written below unfinished/ and renamed. So the directories in graphs/ are the only record of finished
// graphs, and a killed run leaves only unfinished/, which the next one removes. Only regular files are replaced or removed, no
// devices.
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
  // Creates the directory if missing and locks out other runs of that name. A run that `is_alone` removes the leftovers of all
  // others. Throws Failure (FileTrouble).
  OutputTree(std::filesystem::path directory, const std::string& run, bool is_alone);
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;
  ~OutputTree();

  // Replaces the files of a graph, all at once. These two may be called in several processes, for different graphs.
  void put_graph(const std::string& name, const std::vector<OutputFile>& files) const;
  // Removes them.
  void drop_graph(const std::string& name) const;

  // Replaces a file as a whole. All throw Failure (FileTrouble).
  void put_file(const std::string& name, std::string_view content) const;
  // Removes it if it exists.
  void drop_file(const std::string& name) const;

 private:
  std::filesystem::path directory_, unfinished_;
  bool is_new_;
  int lock_ = -1;
};

// The files that are written at the end.
inline constexpr std::array<const char*, 4> kFilesOfAll = {"results.jsonl", "summary.json", "model.json", "ranks.json"};

// The path relative to the directory, links resolved; it begins with ".." if it is not in the directory.
std::filesystem::path path_below(const std::filesystem::path& directory, const std::filesystem::path& path);

// Whether this file or directory is a result of a batch with that output directory.
bool is_result(const std::filesystem::path& path, const std::filesystem::path& directory);

// The directory of the graph's files.
std::filesystem::path graph_directory(const std::filesystem::path& directory, std::string_view name);

}  // namespace fxcut
