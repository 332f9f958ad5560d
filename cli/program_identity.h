// Which program this is, to the byte: what another build makes of a graph may differ, whatever its version.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// Which program, by its version: which distinguishes its results from another's.
inline constexpr std::string_view kVersion = "fxcut " FXCUT_VERSION;

// The version, and a hash of the program's file where the system shows it.
std::string program_identity();

}  // namespace fxcut
