// The operators that return memory of an argument, by their schemas: a view, or a mutated argument.
#pragma once

#include <optional>
#include <string_view>

namespace fxcut {

struct AliasedArgument {
  std::size_t position;  // among all of the schema's arguments
  std::string_view name;
};

// The argument whose memory the operator's results share; nullopt if the memory is new, or the operator is not in PyTorch's
// registry in any release.
std::optional<AliasedArgument> aliased_argument(std::string_view target);

}  // namespace fxcut
