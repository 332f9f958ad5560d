// Explanations for people.
#pragma once

#include <string>
#include <vector>

#include "explain/explain.h"
#include "explain/top.h"

namespace fxcut {

// A paragraph a node: long paths and lists are shortened.
std::string explanation_text(const Explained& explained);

// A line a candidate.
std::string candidates_text(const RankedCandidates& ranked);

}  // namespace fxcut
