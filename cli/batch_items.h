// Work on each graph of a batch before it is partitioned: in a process of its own, whose answer is text, while what is
// done is shown on a terminal.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "batch/work_list.h"
#include "graph/graph.h"

namespace fxcut {

// The text of the item's graph. Throws Failure where its file cannot be read.
std::string text_of(const WorkItem& item);

// The item's graph. What is to be said of it is said where it is partitioned. Throws Failure where it is none.
JointGraph read_item(const WorkItem& item);

// Calls `work` for each item, `jobs` at a time, and `done` with the item's position and its answer, where it has one: a
// graph that fails has none, and fails once more where it is partitioned. `verb`: what has been done to those that the
// progress counts. Returns 0 or the signal that stopped it, as run_tasks.
int work_on_each(const std::vector<WorkItem>& items, std::size_t jobs, std::string_view verb, std::ostream& err,
                 const std::function<std::string(const WorkItem&)>& work,
                 const std::function<void(std::size_t, const std::string&)>& done);

}  // namespace fxcut
