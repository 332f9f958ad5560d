// Operators that users write and joint graphs do not have: PyTorch decomposes them before or while it traces.
#pragma once

#include <span>
#include <string_view>

namespace fxcut {

// The operators, without overloads, that compute the composite operator of that name ("aten.linear") in a joint graph; empty if
// it is none. As torch._decomp and ATen's CompositeImplicitAutograd kernels have it in PyTorch 2.13 and 2.15.
std::span<const std::string_view> parts_of_composite(std::string_view name);

}  // namespace fxcut
