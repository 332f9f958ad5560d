// The card that sizes of grids and of workspaces are told for: an H100 SXM, which the recordings are of.
#pragma once

#include <cstdint>

namespace fxcut {

inline constexpr std::int64_t kMultiprocessors = 132;

}  // namespace fxcut
