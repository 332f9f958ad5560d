// Explanations for programs: schemas/explain.schema.json.
#pragma once

#include <string>

#include "explain/explain.h"
#include "explain/top.h"

namespace fxcut {

std::string explanation_json(const Explained& explained);
std::string candidates_json(const RankedCandidates& ranked);

}  // namespace fxcut
