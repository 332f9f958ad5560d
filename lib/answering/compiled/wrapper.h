// The Python wrapper that inductor generates around its kernels, as statements. These forms affect memory
// (compiled/step_replay.h); they occur in "def call(args)", and in functions that it calls for a part of the graph:
//
//     buf0 = empty_strided_cpu((32, 256), (256, 1), torch.float32)       memory is allocated
//     buf1 = buf0; del buf0  # reuse                                     and gets another name
//     buf2 = reinterpret_tensor(buf1, (256, ), (1, ), 0)                 a view of it
//     buf3 = extern_kernels.convolution(buf1, ...)                       an operator makes its result itself
//     buf5 = buf4[0]                                                     one of several results
//     assert_size_stride(buf3, (4, 16), (16, 1), '...')                  its size
//     cpp_fused_relu_0(buf1, buf2)                                       a kernel runs
//     del buf1, buf2                                                     names are removed, and memory without a name is freed
//     return (buf2, )
//
// A comment above a kernel's call has its operators. Other statements become notes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/compiled_code.h"
#include "compiled/kernel_signatures.h"
#include "python_text/python_expression.h"

namespace fxcut {

// "# Topologically Sorted Source Nodes: [linear, relu], Original ATen: [aten.addmm, aten.relu]"
struct KernelComment {
  std::string source_nodes;   // "linear, relu": calls of the program
  std::string original_aten;  // "aten.addmm, aten.relu"
};

struct WrapperStatement {
  enum class Kind : std::uint8_t { Assignment, Deletion, Expression, Return };

  Kind kind = Kind::Expression;
  PythonExpression target;  // of an assignment; of a deletion the names
  PythonExpression value;   // of all but a deletion
  std::size_t line = 0;
  std::string_view text;                         // its line, without blanks around
  std::shared_ptr<const KernelComment> comment;  // above it; null if there is none
};

struct WrapperFunction {
  std::vector<WrapperStatement> statements;
  std::vector<std::string> inputs;     // the names that "a, b = args" gives them
  std::set<std::string> with_items;    // the names of which some item is used
};

// A line that was not understood, or a fact that is unknown.
struct CodeNote {
  std::size_t line = 0;
  std::string text;
};

struct WrapperCode {
  std::map<std::string, WrapperFunction, std::less<>> functions;  // "call" and its callees
  std::map<std::string, PythonExpression, std::less<>> example_inputs;  // by name: its value in get_args()
  std::map<std::string, KernelSignature, std::less<>> signatures;
  std::vector<CodeNote> notes;
};

// Reads the code. A line that cannot be read becomes a note, and reading continues after it. Throws Failure (BadInput) if there
// is no "def call", or if it ends before its "return".
WrapperCode read_wrapper(const CompiledCode& code);

}  // namespace fxcut
