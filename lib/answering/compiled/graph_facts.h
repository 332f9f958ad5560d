// What the FX graph that code was generated from says of its values: the log has it, printed with types.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/value.h"
#include "import/python_lexer.h"
#include "import/size_arithmetic.h"

namespace fxcut {

struct GraphValue {
  std::string node;
  std::optional<Tensor> tensor;  // nothing where it is none, or the graph does not say
  std::string target;            // of the call that made it: "torch.ops.aten.mm.default"; empty of an input
  std::optional<std::size_t> item;  // which of the call's results, where it has several
  std::string source;            // "model.py:12", the line of the program that it stems from; empty where unknown
};

class GraphFacts {
 public:
  // Of a graph as printed; empty where there are no lines. What is no graph gives none, and `why_not` says it.
  GraphFacts(const std::vector<SourceLine>& lines, std::string_view file, const SymbolHints& hints);

  const std::string& why_not() const { return why_not_; }

  // The value of that name, or null.
  const GraphValue* find(std::string_view node) const;

  // What calls of that operator return, or that item of it.
  std::vector<const GraphValue*> results_of(std::string_view target, std::optional<std::size_t> item) const;

 private:
  std::vector<GraphValue> values_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::string why_not_;
};

}  // namespace fxcut
