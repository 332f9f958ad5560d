// The identity of the program, to the byte: another build may decide differently, whatever its version.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The program's name and version, for results.
inline constexpr std::string_view kVersion = "fxcut " FXCUT_VERSION;

// The version, and a hash of the program's file if the system shows it.
std::string program_identity();

}  // namespace fxcut
