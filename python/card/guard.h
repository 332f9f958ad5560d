#pragma once

#include <link.h>

namespace fxcut_card {

// The table of virtual functions that objects of a class point to, in the library that has it; null if this one does not.
// mangled_name: of the class, as in its std::type_info.
const void* virtual_table(const dl_phdr_info& library, const char* mangled_name);

}  // namespace fxcut_card
