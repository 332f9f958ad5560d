// The name of a stage's input for the gradient of another stage.
#pragma once

#include <string>

namespace fxcut {

inline std::string tangent_name(const std::string& gradient) { return "tangents_" + gradient; }

}  // namespace fxcut
