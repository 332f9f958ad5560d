#include "batch/find_reports.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr const char* kGraphs = "graphs";
constexpr const char* kReport = "report.json";

}  // namespace

bool has_graphs(const std::filesystem::path& directory) {
  std::error_code error;
  return std::filesystem::is_directory(directory / kGraphs, error);
}

std::vector<GraphReport> find_reports(const std::filesystem::path& directory) {
  const std::filesystem::path graphs = directory / kGraphs;
  std::vector<GraphReport> reports;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(graphs, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    if (path.filename() != kReport) continue;
    reports.push_back({path.parent_path().lexically_relative(graphs).generic_string(), path});
  }
  if (error) {
    throw Failure(ExitStatus::FileTrouble,
                  {{graphs.string(), fmt::format("cannot be read: {}", error.message()), "make it readable"}});
  }
  if (reports.empty()) {
    throw Failure(ExitStatus::FileTrouble, {{graphs.string(), "this batch has no finished graph",
                                             "its results.jsonl gives the reasons"}});
  }
  std::sort(reports.begin(), reports.end(),
            [](const GraphReport& a, const GraphReport& b) { return a.name < b.name; });
  return reports;
}

}  // namespace fxcut
