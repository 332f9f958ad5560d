// Texts that are too long to be held whole.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace fxcut {

// Takes a text piece by piece.
using TextSink = std::function<void(std::string_view piece)>;

// From how many bytes on a piece is passed on: a call of the system for each costs little then, and it is in the cache.
inline constexpr std::size_t kPieceBytes = 1 << 16;

}  // namespace fxcut
