// Joint graphs from what PyTorch users already hold: printed text, a trace log, an ExportedProgram. What these
// do not say is assumed, and said to be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "import/size_arithmetic.h"

namespace fxcut {

enum class ImportFormat : std::uint8_t {
  Text,    // TORCH_LOGS=aot_joint_graph, or print_readable
  Trace,   // a log of TORCH_TRACE
  Export,  // an ExportedProgram with a joint graph, stored by torch.export.save or printed
};

struct ImportRequest {
  std::optional<ImportFormat> format;          // by the text itself where it is not given
  std::optional<std::size_t> forward_outputs;  // num_fwd_outputs
  std::optional<std::vector<std::string>> static_inputs;
  SymbolHints hints;     // on top of those that the file has
  std::string producer;  // "torch 2.13"; the file's own where it is empty
  // What the models of an archive may hold together.
  std::size_t most_unpacked_bytes = std::numeric_limits<std::size_t>::max();
};

struct ImportedGraph {
  std::string name;  // no two of a file have the same
  std::string json;  // format fx-joint-graph, which read_joint_graph takes
  std::size_t nodes = 0;
  std::vector<std::string> notes;  // what was assumed and what is missing, for people
};

// A graph, or why it cannot be had.
struct ImportOutcome {
  std::string name;
  std::optional<ImportedGraph> graph;
  std::optional<Failure> failure;
};

// The graphs in `text`, which stems from `file` (used in messages only), in order. Linear in the text. A graph fails alone
// (BadInput), with line, column and what was expected: where the text is no such graph, and where request names inputs or
// outputs that it does not have. Throws Failure (BadInput) where there is no graph at all.
std::vector<ImportOutcome> import_each(std::string_view text, std::string_view file, const ImportRequest& request);

// The same, all or none: throws the first failure.
std::vector<ImportedGraph> import_graphs(std::string_view text, std::string_view file, const ImportRequest& request);

}  // namespace fxcut
