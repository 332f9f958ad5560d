// Whose lines an annotation may point at: those of a repository, and not those of the libraries that it uses.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "check/check_report.h"

namespace fxcut {

class SourceRoot {
 public:
  // None: every file is named as the report has it.
  SourceRoot() = default;
  explicit SourceRoot(const std::filesystem::path& directory);

  // The file from the directory on, where it is there, links followed; a report's relative path is one from the
  // directory. Nothing for a file elsewhere, and for one of an installed package (site-packages, dist-packages), also
  // where the environment that it is installed in lies in the directory.
  std::optional<std::string> name_of(const std::string& file) const;

  // The same of the innermost line's file, which may be a library's. Under a directory, one that is named without a folder
  // has no name: fxcut.capture names most files so, and one of a library is not the repository's of the same name.
  std::optional<std::string> name_of_innermost(const std::string& file) const;

 private:
  std::filesystem::path directory_;
};

// Gives each broken demand the line to annotate: that of the first responsible value whose file, the user's own
// (Provenance::user_file) or else the innermost, has a name under the root; where there is none, what is said in its place.
void annotate(std::vector<CheckResult>& results, const SourceRoot& root);

}  // namespace fxcut
