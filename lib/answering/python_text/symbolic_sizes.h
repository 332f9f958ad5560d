// Numbers for symbolic sizes: the value of a sympy expression, given hints for its symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph/symbol_hints.h"
#include "python_text/python_expression.h"

namespace fxcut {

// The value of an integer expression (PyTorch's optimization_hint with fallback=4096): symbols without a number are 4096
// (kUnhintedSize). nullopt if it is not an integer, does not fit 64 bits, or has an unknown function.
std::optional<std::int64_t> evaluate_size(const PythonExpression& expression, const SymbolHints& hints);

// Adds the symbols that occur in the expression.
void collect_symbols(const PythonExpression& expression, std::set<std::string>& symbols);

// The expression as sympy prints it.
std::string print_size(const PythonExpression& expression);

// Symbolic sizes as sympy's srepr writes them, which is how torch.export stores them:
// "Mul(Integer(8), Symbol('s13', positive=True, integer=True))" for 8*s13.

// The expression in sympy's human-readable form; `place` is for messages. Throws Failure (BadInput) for other texts.
PythonExpression read_symbolic_repr(std::string_view repr, std::string_view place);

}  // namespace fxcut
