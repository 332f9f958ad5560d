// One graph of a batch, in a process of its own.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "batch/output_tree.h"
#include "batch/work_list.h"

namespace fxcut {

struct GraphOutcome {
  enum class State {
    Kept,    // it had results of the same graph, instructions and version
    Done,
    Redone,  // it had stale results
    Failed,
  };
  State state = State::Failed;
  std::string line;  // batch/item_result.h
  std::string messages;  // for standard error: warnings and failures
};

// The destination of results.
struct BatchTarget {
  const OutputTree& tree;
  std::filesystem::path directory;
  bool keeps_finished = false;  // keeps results that are not stale
  std::string_view version;     // of the program, to the build
  bool has_pages = false;       // a page for each graph
};

// Partitions the graph and puts its results in place; if that fails, removes those of earlier runs. Warnings are as verbose as
// `err`, to which nothing is written. Does not throw.
GraphOutcome work_on(const WorkItem& item, const BatchTarget& target, const std::ostream& err);

// The outcome of a graph that failed; removes results of earlier runs.
GraphOutcome failed(const WorkItem& item, const BatchTarget& target, const Failure& failure);

// An outcome as text for another process, and back.
std::string packed(const GraphOutcome& outcome);
GraphOutcome unpacked(std::string_view text);

}  // namespace fxcut
