// Explanations as human-readable text and as JSON.
#pragma once

#include <string>

#include "explain/explain.h"

namespace fxcut {

// One paragraph for each node; long paths and lists are shortened.
std::string explanation_text(const Explanations& explained);

// One line for each candidate.
std::string candidates_text(const RankedCandidates& ranked);

// schemas/explain.schema.json.
std::string explanation_json(const Explanations& explained);
std::string candidates_json(const RankedCandidates& ranked);

}  // namespace fxcut
