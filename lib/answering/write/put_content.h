// The content of a file, put into one that is open.
#pragma once

#include <filesystem>

#include "system/descriptor.h"
#include "write/files.h"

namespace fxcut {

// Writes all of it, and closes the file. One that takes no more for now, as a pipe does whose reader is slow, is waited
// for, until a signal waits as well. Throws Failure (FileTrouble) of `path`, which is what the user asked for.
void put_content(Descriptor& file, const std::filesystem::path& path, const OutputFile& output);

// Writes into what is no regular file: a device, or a pipe, whose reader is waited for. Throws as above, also where the
// reader goes away.
void write_stream(const std::filesystem::path& path, const OutputFile& output);

}  // namespace fxcut
