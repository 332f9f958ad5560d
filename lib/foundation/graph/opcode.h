// The kind of a node (torch.fx's Node.op). call_method and call_module do not occur in joint graphs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fxcut {

enum class Opcode : std::uint8_t { Placeholder, CallFunction, GetAttr, Output };

inline constexpr std::array<std::pair<std::string_view, Opcode>, 4> kOpcodes = {{
    {"placeholder", Opcode::Placeholder},
    {"call_function", Opcode::CallFunction},
    {"get_attr", Opcode::GetAttr},
    {"output", Opcode::Output},
}};

constexpr std::string_view opcode_name(Opcode opcode) {
  return std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const auto& o) { return o.second == opcode; })->first;
}

}  // namespace fxcut
