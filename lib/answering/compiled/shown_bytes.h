// The parts that the tables of compiled and of recorded memory share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "graph/int128.h"
#include "text/quantities.h"

namespace fxcut {

inline constexpr std::size_t kMaxBlocksShown = 20;

inline std::string shown(Int128 bytes) {
  return show_bytes(static_cast<std::int64_t>(std::min<Int128>(bytes, std::numeric_limits<std::int64_t>::max())));
}

}  // namespace fxcut
