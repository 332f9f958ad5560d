// Shortens names that would need the room of others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fxcut {

// The most characters of a name in a picture. The longest of PyTorch's operators has 65.
inline constexpr std::size_t kLongestInPicture = 80;

// The text, or its beginning and its end with "..." between them if it has more than `most` characters, which is at least 4.
std::string shortened(std::string_view text, std::size_t most = kLongestInPicture);

}  // namespace fxcut
