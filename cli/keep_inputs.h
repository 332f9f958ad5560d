// Keeps a command from replacing what it has read: even with --force, and whatever links a path follows.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "write/files.h"

namespace fxcut {

// Throws Failure (FileTrouble) if `written` is the regular file that `read` is. `option` is the one that `written` is from.
void refuse_to_replace(const std::filesystem::path& read, const std::filesystem::path& written, std::string_view option);

// The same for each file that this process has read (read/read_file.h).
void refuse_to_replace_inputs(const std::filesystem::path& written, std::string_view option);

// Like write_files (write/files.h); also throws Failure (FileTrouble), and writes nothing, if an input would be replaced.
void write_beside_inputs(const std::vector<OutputDirectory>& directories, bool overwrite,
                         const std::function<void()>& before_renaming = [] {});

}  // namespace fxcut
