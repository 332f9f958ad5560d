// How Python writes what the functions of its module `operator` compute.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct MagicMethod {
  std::string_view name;    // of the function, without its module
  std::string_view format;  // {} stands for an operand: "{} + {}"
  bool assigns;             // it writes to its first operand
  std::size_t operands;     // how many it takes
};

// The one that torch.fx writes instead of a call of `target`, or null (torch.fx.graph's magic_methods and
// inplace_methods).
const MagicMethod* find_magic_method(std::string_view target);

// The format with the operands in their places; `operands` has as many as there are, or more.
std::string apply_magic_method(const MagicMethod& method, const std::vector<std::string>& operands);

}  // namespace fxcut
