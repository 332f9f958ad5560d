#include "import/zip_memory.h"

namespace fxcut {
namespace {

ZipMemory& memory_of(voidpf stream) { return *static_cast<ZipMemory*>(stream); }

voidpf open_memory(voidpf memory, const void*, int) { return memory; }

uLong read_memory(voidpf, voidpf stream, void* buffer, uLong size) {
  ZipMemory& memory = memory_of(stream);
  const std::size_t count = memory.bytes.copy(static_cast<char*>(buffer), size, memory.at);
  memory.at += count;
  return count;
}

ZPOS64_T place_in_memory(voidpf, voidpf stream) { return memory_of(stream).at; }

// 0 where it is done, as fseek has it; places behind the end are none.
long seek_memory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  ZipMemory& memory = memory_of(stream);
  std::size_t from = 0;
  if (origin == ZLIB_FILEFUNC_SEEK_CUR) from = memory.at;
  if (origin == ZLIB_FILEFUNC_SEEK_END) from = memory.bytes.size();
  if (offset > memory.bytes.size() - from) return -1;
  memory.at = from + offset;
  return 0;
}

int close_memory(voidpf, voidpf) { return 0; }
int memory_error(voidpf, voidpf) { return 0; }

}  // namespace

zlib_filefunc64_def functions_over(ZipMemory& memory) {
  return {open_memory, read_memory,  nullptr,      place_in_memory,
          seek_memory, close_memory, memory_error, &memory};
}

}  // namespace fxcut
