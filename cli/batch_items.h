// Work on each graph of a batch before it is partitioned, in a process of its own whose answer is text, with progress on a
// terminal.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "batch/work_list.h"
#include "batch/worker_pool.h"
#include "graph/graph.h"

namespace fxcut {

// The text of the item's graph. Throws Failure if its file cannot be read or has changed since its first use (WorkItem::seen).
std::string text_of(const WorkItem& item);

// For a `catch (...)`: the current exception as a failure of the item.
Failure failure_in_flight(const WorkItem& item);

// The failure of an item whose process ended without an answer.
Failure failure_of_process(const WorkItem& item, const TaskOutcome& task);

// Calls `work` for each item and its graph, `jobs` at a time, and `done` with the item's position and its answer. An item that
// fails has no answer and keeps its failure, so that answers and partitions agree; for the same reason items keep the hash of
// their text, and pipes, which cannot be read twice, are read here. `verb` is for the progress: "traced". Returns 0 or the signal
// that stopped it, as run_tasks.
int work_on_each(std::vector<WorkItem>& items, std::size_t jobs, std::string_view verb, std::ostream& err,
                 const std::function<std::string(const WorkItem&, JointGraph)>& work,
                 const std::function<void(std::size_t, const std::string&)>& done);

}  // namespace fxcut
