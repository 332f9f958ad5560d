// Facts in the text of an operator's schema, such as "my::op(Tensor(a!) x, int n=1, *, Tensor? y=None) -> ()".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/operator.h"

namespace fxcut {

// The names of the mutable arguments.
std::vector<std::string> mutable_arguments(std::string_view schema);

// Their positions among all arguments.
std::vector<std::optional<std::size_t>> mutable_positions(std::string_view schema);

// The argument dropout_p, if any (PyTorch's get_schema_arg_idx).
std::optional<Operator::Dropout> dropout_argument(std::string_view schema);

}  // namespace fxcut
