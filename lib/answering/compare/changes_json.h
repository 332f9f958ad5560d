// Changes as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "compare/difference.h"

namespace fxcut {

nlohmann::ordered_json figure_json(const FigureChange& figure);
nlohmann::ordered_json changes_json(const std::vector<ValueChange>& changes);

}  // namespace fxcut
