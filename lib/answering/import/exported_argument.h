// An argument of an exported program's call, Argument of torch/_export/serde/schema.py, as torch.fx prints it.
#pragma once

#include "import/python_expression.h"
#include "json/document.h"

namespace fxcut {

// The argument; a graph becomes the name of its attribute. Throws Failure (BadInput) if its kind is unknown.
PythonExpression read_exported_argument(const JsonValue& argument);

}  // namespace fxcut
