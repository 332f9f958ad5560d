// One run of the program, from its arguments to its exit status.
#pragma once

#include <filesystem>

#include "case_file.h"

namespace golden {

// Runs `binary` as the case says, in `directory`. The outcome has no files: what became of the directory is another's.
Outcome run_program(const std::filesystem::path& binary, const Case& given, const std::filesystem::path& directory);

}  // namespace golden
