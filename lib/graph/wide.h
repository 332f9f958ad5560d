// Integers wide enough for sums and products of byte counts: PyTorch counts in Python's unbounded integers.
#pragma once

#include <cstdint>

namespace fxcut {

__extension__ typedef __int128 Wide;

}  // namespace fxcut
