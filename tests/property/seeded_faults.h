// Faults in the functions from which a report has its figures. The linker puts others in their place (CMakeLists.txt):
// they call the original and, while their fault is seeded, spoil its result, with all figures that follow from it.
#pragma once

#include <string_view>
#include <vector>

namespace fxcut {

struct SeededFault {
  std::string_view name;
  bool* is_seeded;  // false but while a test has set it
};

const std::vector<SeededFault>& seeded_faults();

}  // namespace fxcut
