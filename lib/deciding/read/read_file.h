// Files as they are on disk.
#pragma once

#include <string>

namespace fxcut {

// The whole content of a file, or of standard input where `path` is "-". Throws Failure (FileTrouble); so it does where
// a regular file was changed meanwhile.
std::string read_file(const std::string& path);

}  // namespace fxcut
