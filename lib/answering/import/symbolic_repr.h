// Symbolic sizes as sympy's srepr writes them, which is how torch.export stores them:
// "Mul(Integer(8), Symbol('s13', positive=True, integer=True))" for 8*s13.
#pragma once

#include <string>
#include <string_view>

#include "import/python_expression.h"

namespace fxcut {

// The expression as sympy prints it for people, read; `place` is for messages. Throws Failure (BadInput) where it is
// none.
PythonExpression read_symbolic_repr(std::string_view repr, std::string_view place);

}  // namespace fxcut
