// The files that an input of a batch stands for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fxcut {

enum class BatchFileKind { Graph, Manifest, Log };

struct BatchFile {
  std::filesystem::path path;
  std::string name;  // "layers/0": what its results are called
};

// By the file's name: NAME.json is a graph, NAME.jsonl a manifest, all else a log; .gz and .zst behind it do not count.
BatchFileKind kind_of(const std::filesystem::path& path);

// What results of that path are called: the path without its extension, without root and without "..".
std::string name_of(const std::filesystem::path& path);

// The files of a directory, a glob or a file, sorted; those of a directory have names relative to it. Names that begin
// with a dot, other files of a directory than graphs and logs of TORCH_TRACE, links to directories, and
// `output_directory` are left out. Throws Failure (FileTrouble) where there are none.
std::vector<BatchFile> find_graphs(const std::string& input, const std::filesystem::path& output_directory);

}  // namespace fxcut
