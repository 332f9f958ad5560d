// The card for which sizes of grids and workspaces are predicted: an H100 SXM, as in the recordings.
#pragma once

#include <cstdint>

namespace fxcut {

inline constexpr std::int64_t kMultiprocessors = 132;

}  // namespace fxcut
