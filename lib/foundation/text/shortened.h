// Names that are cut where a long one would take the place of all others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fxcut {

// How many characters of a name a picture has room for. The longest of PyTorch's operators has 65.
inline constexpr std::size_t kLongestInPicture = 80;

// The text, or its beginning and its end with "..." between them where it has more than `most` characters, which is 4
// at least.
std::string shortened(std::string_view text, std::size_t most = kLongestInPicture);

}  // namespace fxcut
