// A wrapper's call of a PyTorch operator, with what is needed to call it again: memory that an operator takes and frees within
// its call is in no wrapper, and except for some convolutions it can only be measured by running the operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/extents.h"
#include "graph/value.h"

namespace fxcut {

// The meaning of a name in the call: a tensor in a block's memory, or a number.
struct NamedArgument {
  std::string name;                         // "buf2", "s77"
  std::optional<std::size_t> block;         // of the step; unset for a number
  Extents shape, stride;  // of the tensor, if known
  std::int64_t number = 0;
  const Dtype* dtype = nullptr;  // of the tensor, if it is not its memory's
};

// The statement is that of its moment.
struct OperatorCall {
  std::size_t moment = 0;
  std::vector<NamedArgument> arguments;  // each name once, in the order of the call; without constants of the module
  std::int64_t workspace_bytes = 0;      // known to be taken and freed within the call (inductor/workspaces.h)
};

}  // namespace fxcut
