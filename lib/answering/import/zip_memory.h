// A zip file that is in memory already, as minizip reads it.
#pragma once

#include <minizip/ioapi.h>

#include <cstddef>
#include <string_view>

namespace fxcut {

// Bytes, and the place in them from which is read next.
struct ZipMemory {
  std::string_view bytes;
  std::size_t at = 0;
};

// What minizip calls in the place of a file's functions; `memory` has to stay as long as they are used. They only read.
zlib_filefunc64_def functions_over(ZipMemory& memory);

}  // namespace fxcut
