// How PyTorch's libraries are made to call this one. Each calls the CUDA runtime through tables of addresses, which the loader
// has filled: a relocation of kind JUMP_SLOT or GLOB_DAT names a function and says where its address stands (ELF). In PyTorch's
// loaded libraries the addresses of the runtime's functions are replaced by those of runtime.cpp. That works at any time,
// whatever was called before, and does not affect other users of the runtime.
//
// What PyTorch did when it found no GPU is undone: if a process without one makes fake tensors, it exchanges its guard
// of CUDA's current device for one that does nothing (c10::impl::ensureCUDADeviceGuardSet), in a table by type of device.

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guard.h"
#include "runtime.h"

namespace fxcut_card {
namespace {

#if defined(__x86_64__)
constexpr unsigned kJumpSlot = R_X86_64_JUMP_SLOT, kGlobalData = R_X86_64_GLOB_DAT;
#else
constexpr unsigned kJumpSlot = R_AARCH64_JUMP_SLOT, kGlobalData = R_AARCH64_GLOB_DAT;
#endif

// offsetof in driver_types.h of CUDA 12.8 and 13.1.
constexpr Layout kLayouts[] = {
    {12, 1032, 388, 576, 604, 612, 616, 624, 640, 648, 652, 688, 696},
    {13, 1008, 384, 560, 588, 592, 596, 604, 624, 632, 636, 668, 672},
};

constexpr char kGuards[] = "_ZN3c104impl26device_guard_impl_registryE";
constexpr char kGuardOfCuda[] = "N3c104cuda4impl13CUDAGuardImplE";
constexpr int kCuda = 1;  // c10::DeviceType::CUDA

// What is found in the libraries.
struct Found {
  int redirected = 0;
  const void** guards = nullptr;           // by type of device
  const void* functions_of_guard = nullptr;  // of CUDA's
};

// A loaded library's symbols, their names, and the relocations of its calls and of its data.
struct Tables {
  const ElfW(Sym)* symbols;
  const char* names;
  const ElfW(Rela)* calls;
  size_t calls_size;
  const ElfW(Rela)* data;
  size_t data_size;
};

template <typename T>
const T* at(ElfW(Addr) address) {
  return reinterpret_cast<const T*>(address);
}

Tables tables_of(const ElfW(Dyn)* entry) {
  Tables tables{};
  for (; entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB: tables.symbols = at<ElfW(Sym)>(entry->d_un.d_ptr); break;
      case DT_STRTAB: tables.names = at<char>(entry->d_un.d_ptr); break;
      case DT_JMPREL: tables.calls = at<ElfW(Rela)>(entry->d_un.d_ptr); break;
      case DT_PLTRELSZ: tables.calls_size = entry->d_un.d_val; break;
      case DT_RELA: tables.data = at<ElfW(Rela)>(entry->d_un.d_ptr); break;
      case DT_RELASZ: tables.data_size = entry->d_un.d_val; break;
      default: break;
    }
  }
  return tables;
}

// The page may be read-only since the loader finished with it.
bool exchange(ElfW(Addr) place, void* function) {
  const auto page_size = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  void* const page = reinterpret_cast<void*>(place / page_size * page_size);
  if (mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
  *reinterpret_cast<void**>(place) = function;
  return true;
}

void redirect(const Tables& tables, const ElfW(Rela)* relocations, size_t size, ElfW(Addr) base, Found& found) {
  for (const ElfW(Rela)* one = relocations; one != relocations + size / sizeof *one; ++one) {
    const auto kind = static_cast<unsigned>(ELF64_R_TYPE(one->r_info));
    if (kind != kJumpSlot && kind != kGlobalData) continue;
    const char* const name = tables.names + tables.symbols[ELF64_R_SYM(one->r_info)].st_name;
    if (kind == kGlobalData && strcmp(name, kGuards) == 0) found.guards = *at<const void**>(base + one->r_offset);
    void* const answer = answer_to(name);
    if (answer && exchange(base + one->r_offset, answer)) ++found.redirected;
  }
}

bool is_of_pytorch(const char* path) {
  const char* const slash = strrchr(path, '/');
  const char* const name = slash ? slash + 1 : path;
  return strncmp(name, "libtorch", 8) == 0 || strncmp(name, "libc10", 6) == 0;
}

// For dl_iterate_phdr, which goes on to the next library if 0 is returned.
int go_through(dl_phdr_info* library, size_t, void* to) {
  if (!is_of_pytorch(library->dlpi_name)) return 0;
  Found& found = *static_cast<Found*>(to);
  const ElfW(Addr) base = library->dlpi_addr;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    if (library->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const Tables tables = tables_of(at<ElfW(Dyn)>(base + library->dlpi_phdr[i].p_vaddr));
    redirect(tables, tables.calls, tables.calls_size, base, found);
    redirect(tables, tables.data, tables.data_size, base, found);
  }
  if (!found.functions_of_guard) found.functions_of_guard = virtual_table(*library, kGuardOfCuda);
  return 0;
}

// The guard has no fields: a pointer to its functions is all of it.
void put_guard_back(const Found& found) {
  static const void* guard = nullptr;
  guard = found.functions_of_guard;
  if (guard && found.guards) __atomic_store_n(found.guards + kCuda, &guard, __ATOMIC_SEQ_CST);
}

}  // namespace
}  // namespace fxcut_card

int fxcut_claim_card(const FxcutCard* card, int cuda_version) {
  for (const fxcut_card::Layout& layout : fxcut_card::kLayouts) {
    if (layout.cuda_major != cuda_version / 1000) continue;
    fxcut_card::set_card(*card, layout, cuda_version);
    fxcut_card::Found found;
    dl_iterate_phdr(fxcut_card::go_through, &found);
    fxcut_card::put_guard_back(found);
    return found.redirected;
  }
  return -1;
}
