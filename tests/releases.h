// Releases by name, for the tests: the library names only the oldest and the newest.
#pragma once

#include "release/release.h"

namespace fxcut {

inline constexpr Release kTorch2_4{4};
inline constexpr Release kTorch2_5{5};
inline constexpr Release kTorch2_6{6};
inline constexpr Release kTorch2_7{7};
inline constexpr Release kTorch2_8{8};
inline constexpr Release kTorch2_9{9};
inline constexpr Release kTorch2_10{10};
inline constexpr Release kTorch2_11{11};
inline constexpr Release kTorch2_12{12};
inline constexpr Release kTorch2_13{13};
inline constexpr Release kTorch2_14{14};
inline constexpr Release kTorch2_15{15};

}  // namespace fxcut
