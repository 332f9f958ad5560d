// Texts that are too long for memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace fxcut {

// Receives a text piece by piece.
using TextSink = std::function<void(std::string_view piece)>;

// The least size of a piece: a system call for each costs little then, and it still is in the cache.
inline constexpr std::size_t kPieceBytes = 1 << 16;

}  // namespace fxcut
