// The command line of fxcut batch.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "batch/work_list.h"
#include "cli/command.h"
#include "cli/decision_options.h"

namespace fxcut {

struct BatchRequest {
  std::vector<std::string> inputs, manifests;
  DecisionOptions decision;
  std::string output_directory, shard;
  std::string index_page;  // the file of --html
  int jobs = 0;  // 0: the number of processors
  bool resume = false, overwrite = false;
  bool is_model = false, has_ranks = false;
};

// Parses the command line; with --help prints the help and returns nullopt. Throws Failure (Usage).
std::optional<BatchRequest> parse_batch(const CommandArguments& arguments, std::ostream& out);

// The number of graphs at a time.
std::size_t jobs_of(const BatchRequest& request);

// The graphs of the command line, each with its settings and policies; reports skipped files on `err`. Throws Failure
// if a file cannot be read.
std::vector<WorkItem> work_list_of(const BatchRequest& request, std::ostream& err);

}  // namespace fxcut
