#include "show/magic_methods.h"

#include <algorithm>
#include <array>

namespace fxcut {
namespace {

constexpr bool kAssigns = true;
constexpr bool kIsPure = false;

constexpr std::array kMethods = {
    MagicMethod{"eq", "{} == {}", kIsPure, 2},         MagicMethod{"ne", "{} != {}", kIsPure, 2},
    MagicMethod{"lt", "{} < {}", kIsPure, 2},          MagicMethod{"gt", "{} > {}", kIsPure, 2},
    MagicMethod{"le", "{} <= {}", kIsPure, 2},         MagicMethod{"ge", "{} >= {}", kIsPure, 2},
    MagicMethod{"pos", "+{}", kIsPure, 1},             MagicMethod{"neg", "-{}", kIsPure, 1},
    MagicMethod{"invert", "~{}", kIsPure, 1},          MagicMethod{"add", "{} + {}", kIsPure, 2},
    MagicMethod{"sub", "{} - {}", kIsPure, 2},         MagicMethod{"mul", "{} * {}", kIsPure, 2},
    MagicMethod{"floordiv", "{} // {}", kIsPure, 2},   MagicMethod{"truediv", "{} / {}", kIsPure, 2},
    MagicMethod{"mod", "{} % {}", kIsPure, 2},         MagicMethod{"pow", "{} ** {}", kIsPure, 2},
    MagicMethod{"lshift", "{} << {}", kIsPure, 2},     MagicMethod{"rshift", "{} >> {}", kIsPure, 2},
    MagicMethod{"and_", "{} & {}", kIsPure, 2},        MagicMethod{"or_", "{} | {}", kIsPure, 2},
    MagicMethod{"xor", "{} ^ {}", kIsPure, 2},         MagicMethod{"getitem", "{}[{}]", kIsPure, 2},
    MagicMethod{"matmul", "{} @ {}", kIsPure, 2},      MagicMethod{"iadd", "{} += {}", kAssigns, 2},
    MagicMethod{"iand", "{} &= {}", kAssigns, 2},      MagicMethod{"ifloordiv", "{} //= {}", kAssigns, 2},
    MagicMethod{"ilshift", "{} <<= {}", kAssigns, 2},  MagicMethod{"imod", "{} %= {}", kAssigns, 2},
    MagicMethod{"imul", "{} *= {}", kAssigns, 2},      MagicMethod{"imatmul", "{} @= {}", kAssigns, 2},
    MagicMethod{"ior", "{} |= {}", kAssigns, 2},       MagicMethod{"ipow", "{} **= {}", kAssigns, 2},
    MagicMethod{"irshift", "{} >>= {}", kAssigns, 2},  MagicMethod{"isub", "{} -= {}", kAssigns, 2},
    MagicMethod{"itruediv", "{} /= {}", kAssigns, 2},  MagicMethod{"ixor", "{} ^= {}", kAssigns, 2},
    MagicMethod{"setitem", "{}[{}] = {}", kAssigns, 3},
};

constexpr std::string_view kModule = "operator.";
constexpr std::string_view kHole = "{}";

}  // namespace

const MagicMethod* find_magic_method(std::string_view target) {
  if (!target.starts_with(kModule)) return nullptr;
  const auto found = std::find_if(kMethods.begin(), kMethods.end(), [&](const MagicMethod& method) {
    return method.name == target.substr(kModule.size());
  });
  return found != kMethods.end() ? &*found : nullptr;
}

std::string apply_magic_method(const MagicMethod& method, const std::vector<std::string>& operands) {
  std::string text;
  std::string_view rest = method.format;
  for (std::size_t i = 0; i < method.operands; ++i) {
    const std::size_t hole = rest.find(kHole);
    text += rest.substr(0, hole);
    text += operands[i];
    rest.remove_prefix(hole + kHole.size());
  }
  return text.append(rest);
}

}  // namespace fxcut
