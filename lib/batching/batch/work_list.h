// The work of a batch: its graphs, each with the name of its results and its instructions. The list is the same for every number
// of jobs and on every machine with the same files, so that shards agree on it.
//
// The graphs of an argument are:
//   a directory     all NAME.json, NAME.json.gz and NAME.json.zst below it, sorted, and logs of TORCH_TRACE
//   a glob          its matches, sorted, each like an argument of its own
//   NAME.jsonl      a manifest
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

// Settings and policies of a graph.
struct Instructions {
  Settings settings;
  PolicyStack policies;
};

struct WorkItem {
  std::string name;  // "layers/0": a relative path, neither equal to nor below another item's
  std::string file;  // the graph's file, for messages
  std::shared_ptr<const Instructions> instructions;
  std::uintmax_t size_bytes = 0;                   // of the file, compressed or not; 0 if unknown
  std::optional<std::string> text = std::nullopt;  // the graph, if the file is a log
  std::optional<Failure> failure = std::nullopt;   // if it has failed already
  std::string seen = {};                           // the hash of its text, if that was used already
  std::string given_at = {};                       // "graphs.jsonl:12": its origin, for messages
  std::shared_ptr<const RankChoice> adopted = {};  // another rank's decision, instead of its own
};

struct WorkRequest {
  std::vector<std::string> inputs;
  std::vector<std::string> manifests;
  std::shared_ptr<const Instructions> instructions;  // unless a manifest overrides them
  std::filesystem::path output_directory;            // its results are left out
  Expansion expansion = Expansion::Usual;            // of compressed files
};

struct WorkList {
  std::vector<WorkItem> items;
  std::vector<std::filesystem::path> left_out;  // JSON files of directories that are not joint graphs
};

// The graphs of the request, in its order. Reads manifests and logs. Throws Failure: (FileTrouble) if an input is missing or has
// no graphs; (BadInput) if a manifest has mistakes; (Usage) for duplicate names.
WorkList make_work_list(const WorkRequest& request);

// 32 hexadecimal digits that identify the work list, by names, sizes, instructions and the program's `version`.
std::string work_list_id(const std::vector<WorkItem>& items, std::string_view version);

}  // namespace fxcut
