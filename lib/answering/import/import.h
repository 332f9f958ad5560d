// Joint graphs from printed text, a trace log or an ExportedProgram. Facts that these lack are assumed and noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

enum class ImportFormat : std::uint8_t {
  Text,    // TORCH_LOGS=aot_joint_graph, or print_readable
  Trace,   // a log of TORCH_TRACE
  Export,  // an ExportedProgram with a joint graph, stored by torch.export.save or printed
};

struct ImportRequest {
  std::optional<ImportFormat> format;          // default: detected
  std::optional<std::size_t> forward_outputs;  // num_fwd_outputs
  std::optional<std::vector<std::string>> static_inputs;
  SymbolHints hints;     // override those of the file
  std::string producer;  // "torch 2.13"; empty: the file's own
  // The most bytes of an archive's models together.
  std::size_t most_unpacked_bytes = std::numeric_limits<std::size_t>::max();
};

struct ImportedGraph {
  std::string name;  // unique in a file
  std::string json;  // format fx-joint-graph, for read_joint_graph
  std::size_t nodes = 0;
  std::vector<std::string> notes;  // assumed and missing facts, human-readable
};

// A graph, or the failure to import it.
struct ImportOutcome {
  std::string name;
  std::optional<ImportedGraph> graph;
  std::optional<Failure> failure;
};

// The graphs in `text`, which is of `file` (used in messages only), in order. Linear in the text. A graph fails alone
// (BadInput), with line, column and the expected text, if it is malformed or lacks the inputs or outputs that `request` names.
// Throws Failure (BadInput) if there is no graph at all.
std::vector<ImportOutcome> import_each(std::string_view text, std::string_view file, const ImportRequest& request);

// The same, all or none: throws the first failure.
std::vector<ImportedGraph> import_graphs(std::string_view text, std::string_view file, const ImportRequest& request);

}  // namespace fxcut
