// A manifest lists graphs, a JSON object a line:
//
//     {"graph": "llama/0.json", "settings": {"recompute_views": true}, "policy": "keep_q.json", "name": "llama-0"}
//
// All but "graph" are optional. Paths are relative to the manifest. Settings override those of the batch, one by one; a policy, a
// file or the policy itself, replaces the batch's. The name is that of the results, default: the path without its extension.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "batch/work_list.h"
#include "read/decompress.h"

namespace fxcut {

struct ManifestEntry {
  std::size_t line = 0;
  std::filesystem::path graph;
  std::string name;
  std::shared_ptr<const Instructions> instructions;
};

// The entries of the manifest in `text`, which is of `file`, without empty lines. `instructions`: of the batch. Reads the
// policies; `expansion` limits compressed ones. Throws Failure (BadInput) with all mistakes (at most 100), each with its line.
std::vector<ManifestEntry> read_manifest(std::string_view text, const std::string& file,
                                         const std::shared_ptr<const Instructions>& instructions,
                                         Expansion expansion = Expansion::Usual);

}  // namespace fxcut
