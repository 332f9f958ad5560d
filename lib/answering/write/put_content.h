// Writes the content of a file to an open one.
#pragma once

#include <filesystem>

#include "system/descriptor.h"
#include "write/files.h"

namespace fxcut {

// Writes all of it and closes the file. Waits for a file that accepts no more for now, such as a pipe with a slow reader, until
// a signal is pending. Throws Failure (FileTrouble) for `path`, which is the user's name of it.
void put_content(Descriptor& file, const std::filesystem::path& path, const OutputFile& output);

// Writes to a device, or to a pipe, after waiting for its reader. Throws as above, also if the reader closes the pipe.
void write_stream(const std::filesystem::path& path, const OutputFile& output);

}  // namespace fxcut
