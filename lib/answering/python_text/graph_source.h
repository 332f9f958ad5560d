// The graphs in an imported file, and the file's other facts about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "python_text/graph_text.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

// The kind of an input or output in an exported program's signature: "PARAMETER", "GRADIENT_TO_PARAMETER".
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
  std::vector<SourceLine> lines;                          // the first has the class; none if there is a `text`
  std::optional<GraphText> text;                          // of a stored program
  std::string producer;                                   // "torch 2.13.0"; empty if unknown
  std::string compiler;                                   // of the two graphs; empty if unknown
  std::optional<SymbolHints> hints;                       // if the file has them
  std::optional<std::vector<std::size_t>> static_inputs;  // positions among the inputs
  std::optional<ExportSignature> signature;               // of an exported program
  std::optional<Failure> failure;                         // if the file is damaged here
};

// The lines of a text, without their ends.
std::vector<SourceLine> split_lines(std::string_view text);

// The graphs in the output of TORCH_LOGS=aot_joint_graph or print_readable. The text must outlive them.
std::vector<GraphSource> find_printed_graphs(std::string_view text);

// The joint graphs in a log of TORCH_TRACE, each with the log's facts about its compilation. A record that may be of one and is
// not JSON, such as the last one of a killed job, becomes a source with the failure.
std::vector<GraphSource> find_traced_graphs(std::string_view text, std::string_view file);

// Whether the bytes are an exported program as torch.export.save stores it: the archive, or a model's JSON out of one.
bool is_stored_program(std::string_view bytes);

// The graphs of exported programs, with their signatures: of an archive, of one model's JSON, or of the output of
// print(exported_program). Throws Failure (BadInput) if an archive or a model is damaged, or the models of an archive have more
// than `most_bytes`.
std::vector<GraphSource> find_exported_graphs(std::string_view text, std::string_view file, std::size_t most_bytes);

}  // namespace fxcut
