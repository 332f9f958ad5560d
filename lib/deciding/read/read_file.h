// Files on disk.
#pragma once

#include <string>
#include <vector>

namespace fxcut {

// The content of a file, or of standard input if `path` is "-". Throws Failure (FileTrouble), also if a regular file
// changed meanwhile.
std::string read_file(const std::string& path);

// The paths that this process has read by read_file, in order; of standard input its device. What a command writes must not
// replace them.
std::vector<std::string> files_read();

}  // namespace fxcut
