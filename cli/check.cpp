// fxcut check: compares reports with limits, for a CI pipeline.
//
// One report at a time is read, with its graph's baseline, and only the results are kept. A single report file is shown by
// itself; all others graph by graph.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <set>

#include "check/baseline.h"
#include "check/source_root.h"
#include "cli/baselines.h"
#include "cli/check_request.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/report_files.h"
#include "report/read_report.h"

namespace fxcut::check_command {
namespace {

SourceRoot source_root_of(const std::string& directory) {
  if (directory.empty()) return {};
  std::error_code error;
  if (std::filesystem::is_directory(directory, error)) return SourceRoot(directory);
  throw Failure(ExitStatus::FileTrouble,
                {{directory, "is not a directory", "--source-root is the directory of the repository, for example ."}});
}

std::string names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(shown_name(path));
  return list_names(names);
}

class Checking {
 public:
  explicit Checking(const CheckRequest& request)
      : checks_(request.checks),
        writes_baseline_(!request.new_baseline.empty()),
        root_(source_root_of(request.source_root)), baselines_(request.baseline) {
    for (const std::string& path : request.reports) given_.push_back(find_report_files(path));
    is_alone_ = given_.size() == 1 && !given_.front().is_batch;
    batch_.reports = names_of(request.reports);
    batch_.baseline = baselines_.name();
    batch_.totals = no_totals(!baselines_.empty());
  }

  void check_all() {
    for (const ReportFiles& files : given_) {
      for (const ReportFile& file : files.files) check(file);
    }
    if (!is_alone_) note_removed();
    std::erase_if(batch_.totals, [](const BatchTotal& total) { return !total.value; });
  }

  std::string show(const std::string& format) const {
    const CheckFormat& shown = format_named(format, kCheckFormats);
    if (!is_alone_) return shown.batch(batch_);
    return shown.report(batch_.graphs.front().results, {batch_.graphs.front().file, batch_.baseline});
  }

  std::string baseline() const { return baseline_file(baseline_); }
  bool passed() const { return all_passed(batch_); }

 private:
  void check(const ReportFile& given) {
    const InputFile file = read_input_file(given.path);
    within_memory(file.name, [&] { check(read_report(*file.document), given.name, file.name); });
  }

  void check(const Report& report, const std::string& name_in_batch, const std::string& file) {
    const ComparedReport seen = compared(report);
    CheckedGraph graph{name_in_batch.empty() ? report.graph : name_in_batch, file, false, {}};
    refuse_second(graph);
    const ComparedReport* before = is_alone_ ? baselines_.alone() : nullptr;
    if (!before) before = baselines_.find(graph.name);
    graph.is_new = !before && !baselines_.empty();
    graph.results = check_report(report, before, checks_);
    annotate(graph.results, root_);
    add_graph(seen, batch_.totals);
    if (before) add_baseline(*before, batch_.totals);
    if (writes_baseline_) baseline_.push_back(baseline_graph(graph.name, seen));
    batch_.graphs.push_back(std::move(graph));
  }

  void refuse_second(const CheckedGraph& graph) {
    if (names_.insert(graph.name).second) return;
    throw Failure(ExitStatus::Usage, fmt::format("{}: duplicate graph '{}'", graph.file, graph.name),
                  "graphs are identified by name: check those with the same name one at a time");
  }

  void note_removed() {
    for (const std::string& name : baselines_.names()) {
      if (names_.contains(name)) continue;
      add_baseline(*baselines_.find(name), batch_.totals);
      batch_.removed.push_back(name);
    }
  }

  const Checks& checks_;
  const bool writes_baseline_;
  const SourceRoot root_;
  Baselines baselines_;
  std::vector<ReportFiles> given_;
  bool is_alone_ = false;
  std::set<std::string> names_;
  CheckedBatch batch_;
  std::vector<std::string> baseline_;  // of each graph, in the file's form
};

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  Checking checking(*request);
  checking.check_all();
  std::vector<ShownText> shown;
  if (!request->checks.empty()) {
    shown = show_formats(request->formats, [&](const std::string& format) { return checking.show(format); });
  }
  if (!request->new_baseline.empty()) shown.push_back({checking.baseline(), request->new_baseline, "--write-baseline"});
  put_out(shown, request->overwrite, out);
  return checking.passed() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut::check_command
