// The arguments of calls in compiled code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/extents.h"
#include "graph/value.h"
#include "python_text/python_expression.h"

namespace fxcut {

// Argument number `position` of a call, from 1; null if there is none.
const PythonExpression* argument(const PythonExpression& call, std::size_t position);

// The keyword argument of that name; null if there is none.
const PythonExpression* keyword(const PythonExpression& call, std::string_view name);

// The dtype of a name such as "torch.float32"; null for other names.
const Dtype* dtype_named(const PythonExpression& name);

// The numbers of a tuple such as "(32, 64)"; nullopt if an item is not an integer.
std::optional<Extents> plain_numbers(const PythonExpression& tuple);

}  // namespace fxcut
