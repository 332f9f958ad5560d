// Files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct OutputFile {
  std::string name;  // within the directory
  std::string_view content;
};

// Writes all files into `directory`, which is made if need be: each under another name first, then all are renamed, so
// that a failure on the way leaves nothing behind. Existing files are replaced only with `overwrite`. Throws Failure
// (FileTrouble) saying which path failed and why, and naming `option`, which said where to write.
void write_files(const std::filesystem::path& directory, const std::vector<OutputFile>& files, bool overwrite,
                 std::string_view option = "--output-dir");

// The whole content of a file, or of standard input where `path` is "-". Throws Failure (FileTrouble).
std::string read_file(const std::string& path);

}  // namespace fxcut
