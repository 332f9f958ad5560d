// Finds a table of virtual functions whose symbol is hidden, by what stands around it (Itanium C++ ABI, 2.5.2 and 2.9.5): before
// the functions it has an offset, 0, and a pointer to the class's std::type_info, whose second word points to the class's name.

#include "guard.h"

#include <string.h>

namespace fxcut_card {
namespace {

// Calls find(begin, end) for each part of the library in memory with these flags until one returns a result.
template <typename Find>
const void* search(const dl_phdr_info& library, unsigned flags, const Find& find) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = library.dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & flags) != flags) continue;
    const char* const begin = reinterpret_cast<const char*>(library.dlpi_addr + part.p_vaddr);
    if (const void* const found = find(begin, begin + part.p_filesz)) return found;
  }
  return nullptr;
}

const void* name_in(const dl_phdr_info& library, const char* name) {
  const size_t size = strlen(name) + 1;
  return search(library, PF_R, [&](const char* begin, const char* end) -> const void* {
    const auto next = [&](const char* from) { return memmem(from, static_cast<size_t>(end - from), name, size); };
    for (const void* at = next(begin + 1); at; at = next(static_cast<const char*>(at) + 1)) {
      if (static_cast<const char*>(at)[-1] == '\0') return at;
    }
    return nullptr;
  });
}

// The place of a pointer to `target` after a word with this value, or with any.
const void* pointer_to(const dl_phdr_info& library, const void* target, bool after_zero) {
  return search(library, PF_R | PF_W, [&](const char* begin, const char* end) -> const void* {
    const void* const* const words = reinterpret_cast<const void* const*>(begin);
    const size_t count = static_cast<size_t>(end - begin) / sizeof *words;
    for (size_t i = 1; i < count; ++i) {
      if (words[i] == target && (!after_zero || words[i - 1] == nullptr)) return words + i;
    }
    return nullptr;
  });
}

}  // namespace

const void* virtual_table(const dl_phdr_info& library, const char* mangled_name) {
  const void* const name = name_in(library, mangled_name);
  const void* const named = name ? pointer_to(library, name, false) : nullptr;
  if (!named) return nullptr;
  const void* const type_info = static_cast<const char*>(named) - sizeof(void*);
  const void* const typed = pointer_to(library, type_info, true);
  return typed ? static_cast<const char*>(typed) + sizeof(void*) : nullptr;
}

}  // namespace fxcut_card
