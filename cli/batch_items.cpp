#include "cli/batch_items.h"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "batch/item_result.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "graph/hash128.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

std::string hash_of(std::string_view text) {
  Hash128 hash;
  hash.add(text);
  return hash.text();
}

// The message of a process about an item: the hash of its text, and its answer or the failure.
struct Answer {
  std::string seen, text;
  std::optional<Failure> failure;
};

// The text of an answer: the hash, of fixed length, and the answer; or a line of a failure.
constexpr char kAnswered = '+', kFailed = '-';
constexpr std::size_t kHashSize = 32;

std::string packed(const Answer& answer) {
  if (!answer.failure) return kAnswered + answer.seen + answer.text;
  return kFailed + failed_line("", static_cast<int>(answer.failure->status()), answer.failure->diagnostics());
}

Answer unpacked(const std::string& text) {
  if (text.front() == kFailed) return {"", "", read_failure(std::string_view(text).substr(1))};
  return {text.substr(1, kHashSize), text.substr(1 + kHashSize), std::nullopt};
}

Answer answer_of(const WorkItem& item, const std::function<std::string(const WorkItem&, JointGraph)>& work) {
  try {
    if (item.failure) throw *item.failure;
    std::string text = text_of(item), seen = hash_of(text);
    std::ostringstream unread;  // warnings about the graph are printed where it is partitioned
    GraphFile file = read_graph_text(std::move(text), item.file, unread, item.instructions->settings.torch_version);
    return {std::move(seen), work(item, std::move(file.joint)), std::nullopt};
  } catch (...) {
    return {"", "", failure_in_flight(item)};
  }
}

void read_pipes(std::vector<WorkItem>& items) {
  for (WorkItem& item : items) {
    std::error_code error;
    const fs::file_status status = fs::status(item.file, error);
    if (item.text || item.failure || !fs::exists(status) || fs::is_regular_file(status)) continue;
    try {
      item.text = read_text(item.file);
    } catch (...) {
      item.failure = failure_in_flight(item);
    }
  }
}

}  // namespace

std::string text_of(const WorkItem& item) {
  std::string text = item.text ? *item.text : read_text(item.file);
  if (item.seen.empty() || item.seen == hash_of(text)) return text;
  throw Failure(ExitStatus::FileTrouble, {{item.file, "changed while the batch was running",
                                           "use the same command with --resume to read it again"}});
}

Failure failure_in_flight(const WorkItem& item) {
  try {
    throw;
  } catch (const Failure& failure) {
    return about_file(failure, item.file);
  } catch (const std::bad_alloc&) {
    return out_of_memory(item.file);
  } catch (const std::exception& error) {
    return Failure(ExitStatus::Internal, {{item.file, std::string("internal error: ") + error.what(),
                                           "This is a bug in fxcut: please report it with the graph."}});
  }
}

Failure failure_of_process(const WorkItem& item, const TaskOutcome& task) {
  // Without a signal, memory was too short for a message.
  if (task.signal == 0) return out_of_memory(item.file);
  return Failure(static_cast<ExitStatus>(kExitOfSignal + task.signal), {ended_by(task.signal, item.file)});
}

int work_on_each(std::vector<WorkItem>& items, std::size_t jobs, std::string_view verb, std::ostream& err,
                 const std::function<std::string(const WorkItem&, JointGraph)>& work,
                 const std::function<void(std::size_t, const std::string&)>& done) {
  read_pipes(items);
  ProgressLine progress(err);
  std::size_t worked_on = 0;
  const auto in_child = [&](std::size_t task) { return packed(answer_of(items[task], work)); };
  const int stopped_by = run_tasks(items.size(), jobs, in_child, [&](const TaskOutcome& outcome) {
    WorkItem& item = items[outcome.task];
    Answer answer = outcome.message.empty() ? Answer{"", "", failure_of_process(item, outcome)}
                                            : unpacked(outcome.message);
    item.seen = std::move(answer.seen);
    item.failure = std::move(answer.failure);
    if (!item.failure) done(outcome.task, answer.text);
    progress.show(fmt::format("fxcut: {} {} of {} graphs", verb, ++worked_on, items.size()));
  }, StopSignals());
  progress.clear();
  return stopped_by;
}

}  // namespace fxcut
