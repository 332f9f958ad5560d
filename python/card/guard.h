#pragma once

#include <link.h>

namespace fxcut_card {

// Where objects of a class with virtual functions point to: its table of them, in the library that has it; null if this one has
// not. mangled_name: of the class, as in its std::type_info.
const void* virtual_table(const dl_phdr_info& library, const char* mangled_name);

}  // namespace fxcut_card
