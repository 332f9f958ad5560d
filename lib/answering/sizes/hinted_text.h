// A graph's file with other numbers for its symbols.
//
// A size such as {"expr": "2*s77", "hint": 16, "symbols": ["s77"]} has the number that PyTorch saw when it traced the graph.
// Bytes, FLOPs, times and the decision all follow from these hints. So another number for s77 is another text: that of the same
// graph, traced at that number. Whatever reads it need not know.
#pragma once

#include <string>

#include "graph/symbol_hints.h"
#include "json/document.h"

namespace fxcut {

// The text of a graph or a whole step with these numbers: of its symbols, and of each size that depends on one of them. Symbols
// that are not given keep their number; one that has none counts 4096, as in PyTorch. Measured run times (meta.runtime_ms) are
// left out if a number changes: they are those of the file's sizes. Throws Failure (Usage) if a symbol is not one of the graph's,
// or a size is no integer at these numbers, is negative, or cannot be computed.
std::string hinted_text(const Document& document, const SymbolHints& hints);

}  // namespace fxcut
