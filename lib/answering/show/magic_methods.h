// The Python syntax for functions of the module `operator`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct MagicMethod {
  std::string_view name;    // of the function, without its module
  std::string_view format;  // with {} for each operand: "{} + {}"
  bool assigns;             // it writes to its first operand
  std::size_t operands;     // their number
};

// The syntax that torch.fx writes instead of a call of `target`, or null (magic_methods and inplace_methods of
// torch.fx.graph).
const MagicMethod* find_magic_method(std::string_view target);

// The format with the operands inserted; `operands` has at least as many as the method.
std::string apply_magic_method(const MagicMethod& method, const std::vector<std::string>& operands);

}  // namespace fxcut
