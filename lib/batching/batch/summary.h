// The totals of a batch, added up from the lines of its results alone, so that a batch in shards has the same summary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct FailedGraph {
  std::string name;
  int exit_status = 0;
  std::string message;  // the first
};

struct BatchSummary {
  std::size_t graphs = 0;
  std::vector<FailedGraph> failed;  // in the order of the work list
  std::string json;                 // the text of summary.json (schemas/batch_summary.schema.json)
};

// `lines`: of batch/item_result.h in the order of the work list, from `file`; `version`: the program's. Throws Failure (BadInput)
// if one is not a result.
BatchSummary summarise(const std::vector<std::string>& lines, const std::string& file, std::string_view version);

// The text of results.jsonl.
std::string joined(const std::vector<std::string>& lines);

}  // namespace fxcut
