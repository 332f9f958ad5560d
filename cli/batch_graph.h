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
    Kept,    // its results were there already, by the same graph, instructions and version
    Done,
    Redone,  // there were others, which are stale
    Failed,
  };
  State state = State::Failed;
  std::string line;  // batch/item_result.h
  std::string messages;  // for standard error: warnings, and what failed
};

// Where and how.
struct BatchTarget {
  const OutputTree& tree;
  std::filesystem::path directory;
  bool keeps_finished = false;  // what is there and not stale
  std::string_view version;     // the program's, to the build
};

// Decides on the graph and puts its results in place; where that fails, results of earlier runs go. Warnings are as
// verbose as `err` is, to which nothing is written. Throws nothing.
GraphOutcome work_on(const WorkItem& item, const BatchTarget& target, const std::ostream& err);

// The outcome of a graph that failed; results of earlier runs go.
GraphOutcome failed(const WorkItem& item, const BatchTarget& target, const Failure& failure);

// An outcome as one text, and back, for the way from process to process.
std::string packed(const GraphOutcome& outcome);
GraphOutcome unpacked(std::string_view text);

}  // namespace fxcut
