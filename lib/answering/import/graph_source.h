// Where graphs stand in an imported file, and what the file says of them beside their code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "import/graph_text.h"
#include "import/size_arithmetic.h"

namespace fxcut {

// What an exported program's signature says of an input or an output: "PARAMETER", "GRADIENT_TO_PARAMETER".
struct SignatureEntry {
  std::string name;
  std::string kind;
};

struct ExportSignature {
  std::vector<SignatureEntry> inputs;
  std::vector<SignatureEntry> outputs;
};

struct GraphSource {
  std::string name;                                       // for the graph and its file
  std::vector<SourceLine> lines;                          // the first has the class; none where `text` is there
  std::optional<GraphText> text;                          // of a program that was stored and not printed
  std::string producer;                                   // "torch 2.13.0"; empty where the file does not say
  std::optional<SymbolHints> hints;                       // where the file has them
  std::optional<std::vector<std::size_t>> static_inputs;  // positions among the inputs
  std::optional<ExportSignature> signature;               // of an exported program
  std::optional<Failure> failure;                         // where the file is damaged at this place
};

// The lines of a text, without their ends.
std::vector<SourceLine> split_lines(std::string_view text);

// The graphs in the output of TORCH_LOGS=aot_joint_graph, or in what print_readable prints. The text must outlive them.
std::vector<GraphSource> find_printed_graphs(std::string_view text);

// The joint graphs in a log of TORCH_TRACE, each with what the log says of its compilation. Where a record that may be of
// one is no JSON, as the last is where the job was killed, there is a source with the failure.
std::vector<GraphSource> find_traced_graphs(std::string_view text, std::string_view file);

// Whether the bytes are an exported program as torch.export.save stores it: the archive, or a model's JSON out of one.
bool is_stored_program(std::string_view bytes);

// The graphs of exported programs, with their signatures: of an archive, of one model's JSON, or of what
// print(exported_program) prints. Throws Failure (BadInput) where an archive or a model is damaged, or the models of an
// archive hold more than `most_bytes`.
std::vector<GraphSource> find_exported_graphs(std::string_view text, std::string_view file, std::size_t most_bytes);

}  // namespace fxcut
