// What the kernels of compiled code say of the tensors that they are given: the one place in the code where a buffer that
// an operator has made itself shows its dtype (the wrappers of PyTorch 2.13 assert sizes and strides only).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/value.h"
#include "import/python_lexer.h"

namespace fxcut {

// By position among a kernel's arguments, the dtype that it is a pointer to, or null.
using KernelSignature = std::vector<const Dtype*>;

// By kernel. Read from "NAME = async_compile.cpp_pybinding(['const float*', ...]", and, of a Triton kernel, from
// "'signature': {'in_ptr0': '*fp32', ...}" below its name.
std::map<std::string, KernelSignature, std::less<>> read_kernel_signatures(const std::vector<SourceLine>& lines);

}  // namespace fxcut
