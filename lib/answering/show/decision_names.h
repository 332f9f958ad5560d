// The decision on a graph by the names of its nodes, for the colours of a picture.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "json/document.h"
#include "report/report.h"

namespace fxcut {

struct DecisionNames {
  std::unordered_set<std::string> saved;      // to the backward, offloaded or not
  std::unordered_set<std::string> offloaded;  // of these
  std::unordered_set<std::string> recomputed;
  std::unordered_set<std::string> compressed = {};  // saved in fewer bits; and their forms and scales, in the two sides
  std::unordered_map<std::string, std::int64_t> held_bytes = {};  // of saved values (SavedValue::held_bytes()), forms and scales
};

DecisionNames decision_names(const Report& report);

// The same from a report.json, of which only these members are read. Throws Failure (BadInput) if it is not a report.
DecisionNames read_decision_names(const Document& report);

}  // namespace fxcut
