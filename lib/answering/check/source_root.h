// The lines that an annotation may point at: those of a repository, not those of its libraries.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "check/check_report.h"

namespace fxcut {

class SourceRoot {
 public:
  // Without a root every file keeps the report's name.
  SourceRoot() = default;
  explicit SourceRoot(const std::filesystem::path& directory);

  // The path of the file from the root, if it exists, links resolved; a relative path of a report is relative to the root.
  // Empty for files elsewhere, and for those of installed packages (site-packages, dist-packages), even if their environment
  // is within the root.
  std::optional<std::string> name_of(const std::string& file) const;

  // The same for the innermost line's file, which may be a library's. With a root, a file that is named without a folder has
  // no name: fxcut.capture names most files so, and a library's file is not the repository's file of the same name.
  std::optional<std::string> name_of_innermost(const std::string& file) const;

 private:
  std::filesystem::path directory_;
};

// Sets the line to annotate for each failed check: that of the first responsible value whose file, the user's own
// (Provenance::user_file) or otherwise the innermost, has a name under the root; if there is none, the text to show instead.
void annotate(std::vector<CheckResult>& results, const SourceRoot& root);

}  // namespace fxcut
