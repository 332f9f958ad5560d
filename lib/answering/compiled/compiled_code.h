// The code that inductor generates of a graph: where it stands in a file, and what the file says of it beside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/python_lexer.h"
#include "import/size_arithmetic.h"

namespace fxcut {

// Which graph of a training step the code is of: by "# AOT ID: ['0_forward']", which inductor writes at its head.
enum class CodeSide : std::uint8_t { Inference, Forward, Backward };

// "inference", "forward", "backward".
std::string_view code_side_word(CodeSide side);

struct CompiledCode {
  std::string file;                // what messages call it
  std::string compilation;         // "0_0": frame and compilation, where the file is a log of TORCH_TRACE; else empty
  std::string aot_id;              // "0"; empty where the code does not say
  CodeSide side = CodeSide::Inference;
  std::vector<SourceLine> lines;   // of the Python wrapper and its kernels
  std::vector<SourceLine> graph;   // the FX graph that the code is of, as the log prints it; empty where there is none
  std::optional<std::size_t> joint;  // which of the log's joint graphs is the step's, from 0 on; nothing where it has none
  SymbolHints hints;               // what symbols were when they were traced
};

struct CompiledFile {
  std::string producer;  // "torch 2.13.0"; empty where the file does not say
  std::vector<CompiledCode> codes;
  std::vector<std::string> notes;  // records that could not be read
};

// The code in `text`, which stems from `file` (used in messages only): in a log of TORCH_TRACE, in the output of
// TORCH_LOGS=output_code, or the code itself, of one graph or several behind one another. In order; linear in the text,
// which must outlive it. Throws Failure (BadInput) where there is none.
CompiledFile find_compiled_code(std::string_view text, std::string_view file);

}  // namespace fxcut
