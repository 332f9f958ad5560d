// What was decided on a graph, by the names of its nodes: what colours a picture needs.
#pragma once

#include <string>
#include <unordered_set>

#include "json/document.h"
#include "report/report.h"

namespace fxcut {

struct DecisionNames {
  std::unordered_set<std::string> saved;      // to the backward, offloaded or not
  std::unordered_set<std::string> offloaded;  // of these, to the host
  std::unordered_set<std::string> recomputed;
};

DecisionNames decision_names(const Report& report);

// The same of a report.json, of which no more than that is looked at. Throws Failure (BadInput) where it is no report.
DecisionNames read_decision_names(const Document& report);

}  // namespace fxcut
