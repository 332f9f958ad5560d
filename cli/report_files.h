// The forms in which a report may be given: its file, the directory that partition wrote it into, or that of a batch.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct ReportFile {
  std::string path;  // - is standard input
  std::string name;  // of the graph within its batch; empty of a single report
};

struct ReportFiles {
  std::vector<ReportFile> files;  // sorted by name; one where it is no batch
  bool is_batch = false;
};

// Throws Failure (FileTrouble) where the path is a directory without a report.
ReportFiles find_report_files(const std::string& path);

}  // namespace fxcut
