// A file that may be a report or a graph.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "json/document.h"

namespace fxcut {

struct InputFile {
  std::string name;  // for messages
  std::shared_ptr<const Document> document;

  bool is(std::string_view format) const;  // by its member "format"
  bool is_report() const { return is("fxcut-report"); }
};

// The file's name in messages.
std::string shown_name(const std::string& path);

// The content of a file (- is standard input), decompressed if it is of gzip or zstd. Throws Failure.
std::string read_text(const std::string& path);

// Reads the file (- is standard input). Throws Failure if that fails or it is not JSON.
InputFile read_input_file(const std::string& path);

}  // namespace fxcut
