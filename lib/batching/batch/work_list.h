// What a batch has to do: its graphs, each with a name under which its results lie and with what decides on it. The
// list is the same for every number of jobs and on every machine that sees the same files, so that shards agree on it.
//
// What is named on the command line becomes graphs as follows:
//   a directory     all NAME.json, NAME.json.gz and NAME.json.zst below it, sorted, and logs of TORCH_TRACE
//   a glob          what it matches, sorted, each as if it were named itself
//   NAME.jsonl      a manifest (batch/manifest.h)
//   NAME.json...    a graph
//   another file    a log of TORCH_TRACE, or other text that 'fxcut import' reads, each graph in it
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "policy/policy_stack.h"
#include "ranks/common_decision.h"
#include "read/decompress.h"
#include "settings/settings.h"

namespace fxcut {

// What decides.
struct Instructions {
  Settings settings;
  PolicyStack policies;
};

struct WorkItem {
  std::string name;  // "layers/0": a relative path, which no other item of the list has or lies in
  std::string file;  // where the graph is from, for messages
  std::shared_ptr<const Instructions> instructions;
  std::uintmax_t size_bytes = 0;                   // of the file as it lies there, 0 where that cannot be told
  std::optional<std::string> text = std::nullopt;  // the graph, where the file is not one itself
  std::optional<Failure> failure = std::nullopt;   // where it is already known to be bad
  std::string seen = {};                           // the text's hash, where something was already decided by it
  std::string given_at = {};                       // "graphs.jsonl:12": by what it is here, for messages
  std::shared_ptr<const RankChoice> adopted = {};  // another rank's decision, in the place of the graph's own
};

struct WorkRequest {
  std::vector<std::string> inputs;
  std::vector<std::string> manifests;
  std::shared_ptr<const Instructions> instructions;  // of all that a manifest says nothing of
  std::filesystem::path output_directory;            // whose results are left out
  Expansion expansion = Expansion::Usual;            // of compressed files
};

// The graphs that the request asks for, in its order. Reads manifests and logs. Throws Failure: (FileTrouble) where an
// input is not there or has no graphs; (BadInput) where a manifest has mistakes; (Usage) where two items have one name.
std::vector<WorkItem> make_work_list(const WorkRequest& request);

// 32 hexadecimal digits that tell one work list from another: by names, sizes and what decides, and by `version`, the
// program's own.
std::string work_list_id(const std::vector<WorkItem>& items, std::string_view version);

}  // namespace fxcut
