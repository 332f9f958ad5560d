// The code that inductor generates for a graph: its lines in a file, and the file's other facts about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python_text/python_lexer.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

// The graph of a training step that the code is for, by "# AOT ID: ['0_forward']" at its head.
enum class CodeSide : std::uint8_t { Inference, Forward, Backward };

// "inference", "forward", "backward".
std::string_view name_of(CodeSide side);

struct CompiledCode {
  std::string file;                // its name in messages
  std::string compilation;         // "0_0": frame and compilation, in a log of TORCH_TRACE; otherwise empty
  std::string aot_id;              // "0"; empty if unknown
  std::string path;                // of the file that PyTorch runs; empty if the log does not say
  std::size_t first_line = 1;      // in `file`, of that file's first line
  CodeSide side = CodeSide::Inference;
  std::vector<SourceLine> lines;   // of the Python wrapper and its kernels
  std::vector<SourceLine> graph;   // the FX graph of the code, as the log prints it; empty if there is none
  std::optional<std::size_t> joint;  // the number of the step's joint graph in the log, from 0; nullopt if it has none
  SymbolHints hints;               // of the trace
};

struct CompiledFile {
  std::string producer;  // "torch 2.13.0"; empty if unknown
  std::vector<CompiledCode> codes;
  std::vector<std::string> notes;  // records that could not be read
};

// The code in `text`, which is of `file` (used in messages only): in a log of TORCH_TRACE, in the output of
// TORCH_LOGS=output_code, or the code itself, of one graph or several in sequence. In order; linear in the text, which must
// outlive it. Throws Failure (BadInput) if there is none.
CompiledFile find_compiled_code(std::string_view text, std::string_view file);

}  // namespace fxcut
