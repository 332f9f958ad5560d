// What may stand in the place of a report: its file, the directory that partition wrote it into, or that of a batch.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

struct ReportFile {
  std::string path;  // - is standard input
  std::string name;  // of the graph within its batch; empty of a report that stands alone
};

struct ReportFiles {
  std::vector<ReportFile> files;  // sorted by name; one where it is no batch
  bool is_batch = false;
};

// Throws Failure (FileTrouble) where the path is a directory in which no report is.
ReportFiles find_report_files(const std::string& path);

}  // namespace fxcut
