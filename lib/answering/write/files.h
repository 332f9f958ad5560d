// Writes files completely or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/text_sink.h"

namespace fxcut {

struct OutputFile {
  std::string name;  // within the directory
  std::string_view content = {};
  std::function<void(const TextSink&)> make = {};  // instead of a content: writes it piece by piece
};

// Files for one directory, and the option with that directory, for messages.
struct OutputDirectory {
  std::filesystem::path directory;
  std::vector<OutputFile> files;
  std::string option;
};

OutputDirectory single_file(const std::filesystem::path& path, std::string_view content, std::string option);

// Writes all files; missing directories are created. All are first written at the same time under other names and then
// renamed, so that a failure leaves nothing. Signals that would end the program are deferred until then. Existing files are
// replaced only with `overwrite`, and only regular ones; for a link, its target. Devices and pipes, also as targets of links,
// are always written to. `before_renaming` is called after everything else is written and before any of it is visible:
// if it throws, nothing ever is. Throws Failure (FileTrouble) with the path and the reason; also if a path is to be written
// twice.
void write_files(const std::vector<OutputDirectory>& directories, bool overwrite,
                 const std::function<void()>& before_renaming = [] {});

void write_files(const std::filesystem::path& directory, const std::vector<OutputFile>& files, bool overwrite,
                 std::string_view option = "--output-dir");

}  // namespace fxcut
