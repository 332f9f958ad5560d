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

// The files of a directory, a glob or a file, sorted; those of a directory have names relative to it. Of a directory
// are left out: names that begin with a dot, files other than graphs and logs of TORCH_TRACE, links to directories, and
// the `output_directory` below it. Links that lead nowhere are taken, so that they fail.
//
// Results that lie in the output directory are left out everywhere, so that a batch which runs again finds the graphs
// that it found before: by "*", whether the shell expands it or we, and where the input is the output directory. Where an
// input has nothing else there are no files of it.
//
// Throws Failure (FileTrouble) where there is no such file, and no graph in a directory.
std::vector<BatchFile> find_graphs(const std::string& input, const std::filesystem::path& output_directory);

}  // namespace fxcut
