// The argument types of the kernels in compiled code: the only place in the code with the dtype of a buffer that an operator
// has made (the wrappers of PyTorch 2.13 assert sizes and strides only).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "graph/value.h"
#include "python_text/python_lexer.h"

namespace fxcut {

// For each argument, the dtype that it points to, or null.
using KernelSignature = std::vector<const Dtype*>;

// Keyed by kernel. Read from "NAME = async_compile.cpp_pybinding(['const float*', ...]", and, for a Triton kernel, from
// "'signature': {'in_ptr0': '*fp32', ...}" below its name. Of a list that is cut off it has no arguments.
std::map<std::string, KernelSignature, std::less<>> read_kernel_signatures(const std::vector<SourceLine>& lines);

}  // namespace fxcut
