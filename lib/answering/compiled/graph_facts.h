// The values of the FX graph that code was generated from; the log has it, printed with types.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/value.h"
#include "python_text/python_lexer.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

struct GraphValue {
  std::string node;
  std::optional<Tensor> tensor;  // nothing for other values, or if unknown
  std::string target;            // of its call: "torch.ops.aten.mm.default"; empty for an input
  std::optional<std::size_t> item;  // the number of the result, if the call has several
  std::string source;            // "model.py:12", its line in the program; empty if unknown
};

class GraphFacts {
 public:
  // The facts of a printed graph; empty without lines. If they are not a graph, there are no values and `why_not` is the error.
  GraphFacts(const std::vector<SourceLine>& lines, std::string_view file, const SymbolHints& hints);

  const std::string& why_not() const { return why_not_; }

  // The value of that name, or null.
  const GraphValue* find(std::string_view node) const;

  // The results of that operator's calls, or that item of them.
  std::vector<const GraphValue*> results_of(std::string_view target, std::optional<std::size_t> item) const;

 private:
  std::vector<GraphValue> values_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::string why_not_;
};

}  // namespace fxcut
