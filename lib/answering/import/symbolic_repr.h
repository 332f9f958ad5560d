// Symbolic sizes as sympy's srepr writes them, which is how torch.export stores them:
// "Mul(Integer(8), Symbol('s13', positive=True, integer=True))" for 8*s13.
#pragma once

#include <string>
#include <string_view>

#include "import/python_expression.h"

namespace fxcut {

// The expression in sympy's human-readable form; `place` is for messages. Throws Failure (BadInput) for other texts.
PythonExpression read_symbolic_repr(std::string_view repr, std::string_view place);

}  // namespace fxcut
