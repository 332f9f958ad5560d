// The reports that lie in the output directory of a batch (batch/output_tree.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace fxcut {

struct GraphReport {
  std::string name;  // of the graph: "layers/0"
  std::filesystem::path path;
};

// Whether graphs of a batch lie there.
bool has_graphs(const std::filesystem::path& directory);

// Those of all graphs that are done, sorted by name. Throws Failure (FileTrouble) where a directory cannot be read, or
// there are none.
std::vector<GraphReport> find_reports(const std::filesystem::path& directory);

}  // namespace fxcut
