// Whether a JSON file is a joint graph, by its content and without parsing all of it.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

enum class JsonKind {
  Graph,    // its member "format" says so
  Other,    // whole JSON of another format, or of none
  Damaged,  // no whole JSON object: it may have been a graph
};

// The kind of a text. Only a `format` of the outermost object counts.
JsonKind json_kind_of(std::string_view text);

// The kind of a file, compressed or not; only its beginning is read if that has the format. Damaged if it cannot be read.
JsonKind json_kind_of_file(const std::string& path);

}  // namespace fxcut
