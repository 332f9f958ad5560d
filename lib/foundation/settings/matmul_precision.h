// Whether products of float32 may be rounded to TF32 (torch.set_float32_matmul_precision).
#pragma once

#include <array>
#include <string_view>

namespace fxcut {

// `High` and `Medium` allow it; on tensor cores it is several times as fast.
enum class MatmulPrecision { Highest, High, Medium };

// By MatmulPrecision, PyTorch's names.
inline constexpr std::array<std::string_view, 3> kMatmulPrecisions = {"highest", "high", "medium"};

}  // namespace fxcut
