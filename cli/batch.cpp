// fxcut batch: partitions many graphs, and writes a summary.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "batch/index_page.h"
#include "batch/item_result.h"
#include "batch/shard_files.h"
#include "batch/summary.h"
#include "batch/worker_pool.h"
#include "cli/batch_graph.h"
#include "cli/batch_items.h"
#include "cli/batch_outcome.h"
#include "cli/batch_model.h"
#include "cli/batch_ranks.h"
#include "cli/batch_request.h"
#include "cli/narration.h"
#include "cli/output_format.h"
#include "cli/printable_stream.h"
#include "cli/program_identity.h"
#include "cli/stoppable_stream.h"
#include "model/model_report.h"

namespace fxcut::batch_command {
namespace {

namespace fs = std::filesystem;

// The part of the work that this run does.
struct Part {
  Shard shard;
  std::vector<WorkItem> items;
  std::string work_list;  // its id
};

Part part_of(const std::vector<WorkItem>& all, const BatchRequest& request, std::string_view program) {
  Part part;
  const auto environment = [](const char* name) { return std::getenv(name); };
  if (!request.shard.empty()) part.shard = parse_shard(request.shard, environment);
  part.work_list = work_list_id(all, program);
  std::vector<std::uintmax_t> sizes;
  for (const WorkItem& item : all) sizes.push_back(item.size_bytes);
  for (const std::size_t position : items_of(part.shard, sizes)) part.items.push_back(all[position]);
  return part;
}

// Existing results are replaced only with --resume or --force.
void refuse_if_there(const BatchRequest& request, const Part& part) {
  if (request.resume || request.overwrite) return;
  const auto refuse = [](const fs::path& path) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(path, error))) return;
    throw Failure(ExitStatus::FileTrouble,
                  {{path.string(), "already exists",
                    "use --resume to continue, --force to compute all again, or another --output-dir"}});
  };
  for (const WorkItem& item : part.items) refuse(graph_directory(request.output_directory, item.name));
  if (request.shard.empty()) refuse(fs::path(request.output_directory) / "results.jsonl");
  if (!request.index_page.empty()) refuse(request.index_page);
}

// Results that need all graphs of a batch: the budget of a model, the agreement of ranks.
struct Overview {
  ModelBudget budget;
  RankAgreement agreement;

  // The signal that stopped the examination, or 0.
  int stopped_by() const { return budget.stopped_by != 0 ? budget.stopped_by : agreement.stopped_by; }
};

// Examines all items if the request has --model or --ranks, and gives each its limit or its decision.
Overview examine_all(const BatchRequest& request, std::vector<WorkItem>& items, std::ostream& err) {
  Overview overview;
  if (request.is_model) {
    overview.budget = split_model_budget(items, request.decision.resolve_settings(), jobs_of(request), err);
  }
  if (request.has_ranks) overview.agreement = agree_ranks(items, jobs_of(request), err);
  return overview;
}

// Puts model.json or ranks.json in place, and prints their contents as a table. `lines` are those of the results.
void put_overview(const BatchRequest& request, const Overview& overview, const std::vector<std::string>& lines,
                  const OutputTree& tree, std::ostream& err) {
  if (request.is_model) {
    const ModelReport model = add_up_model(lines, "results.jsonl", overview.budget.shares, overview.budget.limit_bytes);
    tree.put_file("model.json", model_json(model, kVersion));
    print_message(err, model_table(model));
  }
  if (request.has_ranks) {
    tree.put_file("ranks.json", ranks_json(overview.agreement.sets, kVersion));
    print_message(err, ranks_text(overview.agreement.sets));
  }
}

// Writes the index of --html.
void put_index(const BatchRequest& request, const std::vector<std::string>& lines, std::ostream& out) {
  if (request.index_page.empty()) return;
  const std::string page = index_page(lines, {request.index_page, request.output_directory});
  put_out({{page, request.index_page, "--html"}}, true, out);
}

class Run {
 public:
  Run(const BatchRequest& request, const Part& part, std::string_view program, const StopSignals& signals,
      std::ostream& out, std::ostream& err)
      : part_(part),
        tree_(request.output_directory, part.shard.name(), request.shard.empty()),
        target_{tree_, request.output_directory, request.resume, program, !request.index_page.empty()},
        lines_(part.items.size()), signals_(signals), progress_(err), out_(out), err_(err) {}

  // Returns the signal that stopped it, or 0.
  int work(std::size_t jobs) {
    const auto in_child = [this](std::size_t task) { return packed(work_on(part_.items[task], target_, err_)); };
    const auto when_done = [this](const TaskOutcome& task) { take(task); };
    return run_tasks(part_.items.size(), jobs, in_child, when_done, signals_);
  }

  OutputTree& tree() { return tree_; }
  const BatchCounts& counts() const { return counts_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void take(const TaskOutcome& task) {
    const WorkItem& item = part_.items[task.task];
    const GraphOutcome outcome = task.message.empty() ? failed(item, target_, failure_of_process(item, task))
                                                      : unpacked(task.message);
    counts_.add(outcome.state);
    progress_.clear();
    err_ << outcome.messages << std::flush;
    out_ << outcome.line << "\n" << std::flush;
    progress_.show(progress_text(counts_, part_.items.size()));
    lines_[task.task] = outcome.line;
    if (!out_ && signals_.caught() == 0) refuse_output();
  }

  // No more lines can be printed: the batch stops, like any program whose pipe is closed.
  [[noreturn]] void refuse_output() const {
    throw Failure(ExitStatus::FileTrouble,
                  fmt::format("standard output cannot be written: is the disk full, or was the pipe closed? "
                              "{} of {} graphs are done",
                              counts_.finished(), part_.items.size()),
                  "use the same command with --resume (and without --force) to continue");
  }

  const Part& part_;
  OutputTree tree_;
  BatchTarget target_;
  std::vector<std::string> lines_;
  BatchCounts counts_;
  const StopSignals& signals_;
  ProgressLine progress_;
  std::ostream& out_;
  std::ostream& err_;
};

ExitStatus stopped(int signal, const BatchCounts& counts, std::size_t graphs, std::ostream& err) {
  err << fmt::format("fxcut: stopped by signal {} ({}): {} of {} graphs done\n"
                     "  use the same command with --resume (and without --force) to continue\n",
                     signal, ::strsignal(signal), counts.finished(), graphs);
  return static_cast<ExitStatus>(kExitOfSignal + signal);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  if (!arguments.empty() && arguments.front() == "merge") {
    return batch_merge_command::run({arguments.begin() + 1, arguments.end()}, out, err);
  }
  const auto parsed = parse_batch(arguments, out);
  if (!parsed) return ExitStatus::Done;
  const BatchRequest& request = *parsed;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error to report, not an end
  const std::string program = program_identity();
  const std::vector<WorkItem> all = work_list_of(request, err);
  Part part = part_of(all, request, program);
  refuse_if_there(request, part);
  const Overview overview = examine_all(request, part.items, err);
  if (overview.stopped_by() != 0) return stopped(overview.stopped_by(), {}, part.items.size(), err);

  const StopSignals signals;  // as long as there are unfinished files
  const StoppableStream stoppable_out(out, STDOUT_FILENO, signals), stoppable_err(err, STDERR_FILENO, signals);
  const PrintableStream printable_out(out), printable_err(err);
  Run run(request, part, program, signals, out, err);
  refuse_if_there(request, part);  // once more: another run may have ended while this one waited for it
  for (const char* const file : kFilesOfAll) run.tree().drop_file(file);
  if (request.shard.empty()) drop_shards(run.tree(), request.output_directory);
  else announce_shard(run.tree(), request.output_directory, part.shard, all, part.work_list);
  if (const int signal = run.work(jobs_of(request))) return stopped(signal, run.counts(), part.items.size(), err);
  const BatchSummary summary = summarise(run.lines(), "results.jsonl", kVersion);
  if (request.shard.empty()) {
    put_results(run.tree(), run.lines(), summary);
    put_overview(request, overview, run.lines(), run.tree(), err);
    put_index(request, run.lines(), out);
  } else {
    finish_shard(run.tree(), part.shard, run.lines(), part.work_list);
  }
  const ExitStatus status = print_outcome(summary, run.counts(), err);
  // Everything is done, but the exit status still reports the signal.
  if (const int signal = signals.caught()) return stopped(signal, run.counts(), part.items.size(), err);
  return status;
}

}  // namespace fxcut::batch_command
