// The settings of PyTorch's quantization of activations, as rows of the table of settings.
#pragma once

#include <string_view>
#include <vector>

#include "policy/setting_rows.h"

namespace fxcut {

// The setting that switches the pass on, which is also the name of inductor's option. The other rows' names are this one's, a
// dot, and PyTorch's name.
inline constexpr std::string_view kActivationQuantization = "activation_quantization_aten_pass";

const std::vector<SettingRow>& quantization_rows();

}  // namespace fxcut
