// The values that policies want to be saved in fewer bits (COMPRESS).
//
// A rule that matches a name, a view or a tuple is about the value itself, or about the items. Of several rules that ask for a
// value's form, the innermost level's counts, and in it the one that matches the value itself before one that matches a view.
// Views share the value's memory, so that the form is asked for of whichever of them is saved.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "policy/rule_verdicts.h"
#include "settings/settings.h"

namespace fxcut {

struct RequestedForms {
  std::vector<std::string> rules;  // "policy 'base', rule 2: class normalization", the outermost first
  std::unordered_map<std::string, std::uint32_t> rule_of;  // by the name of the node

  bool empty() const { return rule_of.empty(); }
};

// Sets Meta::compress_to of the nodes that the levels ask for. `levels` are of the graph as it is now; `same` is by node
// (policy/names.h).
RequestedForms request_forms(Graph& graph, const std::vector<Level>& levels, const std::vector<NodeId>& same,
                             const Settings& settings);

}  // namespace fxcut
