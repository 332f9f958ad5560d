#include "cli/batch_items.h"

#include <fmt/format.h>

#include <exception>
#include <sstream>
#include <utility>

#include "batch/worker_pool.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/narration.h"

namespace fxcut {

std::string text_of(const WorkItem& item) { return item.text ? *item.text : read_text(item.file); }

JointGraph read_item(const WorkItem& item) {
  std::ostringstream nobody;
  return std::move(read_graph_text(text_of(item), item.file, nobody, item.instructions->settings.torch_version).joint);
}

int work_on_each(const std::vector<WorkItem>& items, std::size_t jobs, std::string_view verb, std::ostream& err,
                 const std::function<std::string(const WorkItem&)>& work,
                 const std::function<void(std::size_t, const std::string&)>& done) {
  ProgressLine progress(err);
  std::size_t worked_on = 0;
  const auto answer = [&](std::size_t task) -> std::string {
    try {
      return work(items[task]);
    } catch (const std::exception&) {
      return "";
    }
  };
  const int stopped_by = run_tasks(items.size(), jobs, answer, [&](const TaskOutcome& outcome) {
    if (!outcome.message.empty()) done(outcome.task, outcome.message);
    progress.show(fmt::format("fxcut: {} {} of {} graphs", verb, ++worked_on, items.size()));
  });
  progress.clear();
  return stopped_by;
}

}  // namespace fxcut
