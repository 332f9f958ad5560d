#include "cli/report_files.h"

#include <filesystem>

#include "batch/find_reports.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {

ReportFiles find_report_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_directory(path, error)) return {{{path, ""}}, false};
  const fs::path report = fs::path(path) / "report.json";
  if (fs::exists(report, error)) return {{{report.string(), ""}}, false};
  if (!has_graphs(path)) {
    throw Failure(ExitStatus::FileTrouble,
                  {{path, "this directory has no report",
                    "expected report.json, as 'fxcut partition --output-dir' writes it, or graphs/, as 'fxcut batch' "
                    "does"}});
  }
  ReportFiles found{{}, true};
  for (const GraphReport& graph : find_reports(path)) found.files.push_back({graph.path.string(), graph.name});
  return found;
}

}  // namespace fxcut
