// Files on disk.
#pragma once

#include <string>

namespace fxcut {

// The content of a file, or of standard input if `path` is "-". Throws Failure (FileTrouble), also if a regular file
// changed meanwhile.
std::string read_file(const std::string& path);

}  // namespace fxcut
