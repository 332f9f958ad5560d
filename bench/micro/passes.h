// The graph that all micro-benchmarks run on, as each pass of partition/partition.cpp leaves it. Made once, at first use;
// every benchmark of a pass starts from what the pass before has made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cost/analysis.h"
#include "extract/roles.h"
#include "graph/graph.h"
#include "json/document.h"
#include "settings/settings.h"
#include "solve/saved_values.h"

namespace fxcut {

struct GraphAfterPasses {
  GraphAfterPasses();

  std::string text;  // the file
  std::shared_ptr<const Document> document;
  JointGraph read;      // as it was read
  JointGraph live;      // dead code gone
  JointGraph decided;   // the graph that is decided on: subexpressions merged, tags resolved
  Settings settings;
  Users users;
  Roles roles;
  std::vector<std::int64_t> distance;
  SavedValues choice;

  Analysis analysis() const { return {decided, users, roles, distance, settings}; }
};

const GraphAfterPasses& graph_after_passes();

}  // namespace fxcut
