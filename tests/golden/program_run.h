// One run of the program, from its arguments to its exit status.
#pragma once

#include <filesystem>

#include "case_file.h"

namespace golden {

// Runs `binary` for the case, in `directory`. The outcome has no files; others look at the directory.
Outcome run_program(const std::filesystem::path& binary, const Case& given, const std::filesystem::path& directory);

}  // namespace golden
