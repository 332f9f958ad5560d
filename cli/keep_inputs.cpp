#include "cli/keep_inputs.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

#include "diagnostic/diagnostic.h"
#include "read/read_file.h"

namespace fxcut {

namespace fs = std::filesystem;

void refuse_to_replace(const fs::path& read, const fs::path& written, std::string_view option) {
  std::error_code error;
  // Devices and pipes are written to, not replaced: a terminal may be both.
  if (!fs::is_regular_file(written, error) || !fs::equivalent(read, written, error)) return;
  throw Failure(ExitStatus::FileTrouble, {{written.string(), fmt::format("would replace {}, which is read", read.string()),
                                           fmt::format("name another {}", option)}});
}

void refuse_to_replace_inputs(const fs::path& written, std::string_view option) {
  for (const std::string& read : files_read()) refuse_to_replace(read, written, option);
}

void write_beside_inputs(const std::vector<OutputDirectory>& directories, bool overwrite,
                         const std::function<void()>& before_renaming) {
  for (const OutputDirectory& output : directories) {
    for (const OutputFile& file : output.files) refuse_to_replace_inputs(output.directory / file.name, output.option);
  }
  write_files(directories, overwrite, before_renaming);
}

}  // namespace fxcut
