// Parts of the docstring at the head of a written module.
#pragma once

#include <string>
#include <string_view>

#include "eager/eager_policy.h"

namespace fxcut {

// A text of the graph's, such that nothing in it ends the docstring.
std::string in_docstring(std::string_view text);

// The operator as Python code: "torch.ops.aten.mm.default", and by getattr() what is no name in Python.
std::string python_operator(std::string_view op);

// The bytes held by the decision, by what can be said, and by regions.
std::string totals_head(const EagerPolicy& policy);

// The values that cannot be said, by reason, with their bytes.
std::string unsaid_head(const EagerPolicy& policy);

}  // namespace fxcut
