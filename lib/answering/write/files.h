// Files that appear whole or not at all.
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
  std::function<void(const TextSink&)> make = {};  // instead of a content: what makes it, piece by piece
};

// Files for one directory, and the option that said where to write them, which messages name.
struct OutputDirectory {
  std::filesystem::path directory;
  std::vector<OutputFile> files;
  std::string option;
};

// The file of that path, alone.
OutputDirectory single_file(const std::filesystem::path& path, std::string_view content, std::string option);

// Writes all files, into directories which are made if need be: each under another name first, all at the same time,
// then all are renamed, so that a failure on the way leaves nothing behind. Signals that would end the program wait
// meanwhile. Existing files are replaced only with `overwrite`, and only regular ones: of a link to one what it leads
// to. Into a device or a pipe, or where a link leads to one, is written, with `overwrite` or without. `before_renaming`
// is called when all but that is written and nothing is seen of it yet: if it throws, nothing ever is. Throws Failure
// (FileTrouble) saying which path failed and why; so it does where one path is to be written twice.
void write_files(const std::vector<OutputDirectory>& directories, bool overwrite,
                 const std::function<void()>& before_renaming = [] {});

// The same of one directory.
void write_files(const std::filesystem::path& directory, const std::vector<OutputFile>& files, bool overwrite,
                 std::string_view option = "--output-dir");

}  // namespace fxcut
