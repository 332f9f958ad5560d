// What graphs compute, as terms: two nodes have the same term where they call the same operators on the same inputs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Copies to and from the host are what they copy. Random operators that run under a saved state draw what they drew
// when it was saved, and anything else under another.
class Terms {
 public:
  using Term = std::size_t;

  // The term that a text stands for.
  Term make(const std::string& text) { return terms_.emplace(text, terms_.size()).first->second; }

  // The terms of the leaves of a graph's output, given those of its placeholders by name.
  std::vector<Term> of_outputs(const Graph& graph, const std::map<std::string, Term>& inputs);

 private:
  std::map<std::string, Term> terms_;
};

}  // namespace fxcut
