// The forms of a report: its file, the output directory of partition, or that of a batch.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct ReportFile {
  std::string path;  // - is standard input
  std::string name;  // of the graph within its batch; empty for a single report
};

struct ReportFiles {
  std::vector<ReportFile> files;  // sorted by name; one without a batch
  bool is_batch = false;
};

// Throws Failure (FileTrouble) if the path is a directory without a report.
ReportFiles find_report_files(const std::string& path);

}  // namespace fxcut
