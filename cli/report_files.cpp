#include "cli/report_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

// The reports of all finished graphs in the output directory of a batch (batch/output_tree.h), sorted by name. Throws Failure
// (FileTrouble) if a directory cannot be read, or there are none.
std::vector<ReportFile> find_reports(const fs::path& graphs) {
  std::vector<ReportFile> reports;
  std::error_code error;
  fs::recursive_directory_iterator entry(graphs, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.filename() != "report.json") continue;
    reports.push_back({path.string(), path.parent_path().lexically_relative(graphs).generic_string()});
  }
  if (error) {
    throw Failure(ExitStatus::FileTrouble,
                  {{graphs.string(), fmt::format("cannot be read: {}", error.message()), "make it readable"}});
  }
  if (reports.empty()) {
    throw Failure(ExitStatus::FileTrouble,
                  {{graphs.string(), "this batch has no finished graph", "its results.jsonl gives the reasons"}});
  }
  std::ranges::sort(reports, {}, &ReportFile::name);
  return reports;
}

}  // namespace

ReportFiles find_report_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {{{path, ""}}, false};
  const fs::path report = fs::path(path) / "report.json";
  if (fs::exists(report, error)) return {{{report.string(), ""}}, false};
  const fs::path graphs = fs::path(path) / "graphs";
  if (!fs::is_directory(graphs, error)) {
    throw Failure(ExitStatus::FileTrouble,
                  {{path, "this directory has no report",
                    "expected report.json, as 'fxcut partition --output-dir' writes it, or graphs/, as 'fxcut batch' "
                    "does"}});
  }
  return {find_reports(graphs), true};
}

}  // namespace fxcut
