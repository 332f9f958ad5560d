// Numbers for symbolic sizes: what an expression of sympy's comes to, once its symbols have hints.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "import/python_expression.h"

namespace fxcut {

// By symbol, the number that it had when the graph was traced. One that is not there counts 4096 (kUnhintedSize).
using SymbolHints = std::map<std::string, std::int64_t, std::less<>>;

// The value of an integer expression (PyTorch's optimization_hint with fallback=4096); nothing where it is no integer,
// does not fit 64 bits, or has a function that is not known here.
std::optional<std::int64_t> evaluate_size(const PythonExpression& expression, const SymbolHints& hints);

// Adds the symbols that occur in the expression.
void collect_symbols(const PythonExpression& expression, std::set<std::string>& symbols);

// The expression as sympy prints it.
std::string print_size(const PythonExpression& expression);

}  // namespace fxcut
