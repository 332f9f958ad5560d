// The files of an input of a batch.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fxcut {

enum class BatchFileKind { Graph, Manifest, Log };

struct BatchFile {
  std::filesystem::path path;
  std::string name;  // "layers/0": of its results
};

// The path without a final .gz or .zst.
std::filesystem::path without_compression(std::filesystem::path path);

// The kind by the file's name: NAME.json is a graph, NAME.jsonl a manifest, any other a log; a final .gz or .zst is ignored.
BatchFileKind kind_of(const std::filesystem::path& path);

// The name of that path's results: the path without extension, root and "..".
std::string name_of(const std::filesystem::path& path);

struct FoundFiles {
  std::vector<BatchFile> files;
  std::vector<std::filesystem::path> others;  // left out: JSON files of directories that are not joint graphs (json_kind.h)
};

// The files of a directory, a glob or a file, sorted; those of a directory have names relative to it. In a directory these are
// left out: names that begin with a dot, files other than graphs and logs of TORCH_TRACE, links to directories, and the
// `output_directory`; JSON files of other formats are left out as well, and listed. Broken links are included, so that they fail.
//
// Results in the output directory are always left out, so that a second run of a batch finds the same graphs: with "*",
// expanded by the shell or here, and if the input is the output directory. An input with nothing else has no files.
//
// Throws Failure (FileTrouble) if a file is missing, or a directory has no graph.
FoundFiles find_graphs(const std::string& input, const std::filesystem::path& output_directory);

}  // namespace fxcut
