// Exported programs, stored or as print() shows them: the graph, and below it the signature, one input or output a line,
//
//     Graph signature:
//         # inputs
//         p_l_weight: PARAMETER target='l.weight'
//         # outputs
//         div: LOSS_OUTPUT
#include <fmt/format.h>

#include <algorithm>

#include "import/archive.h"
#include "import/exported_program.h"
#include "import/graph_source.h"

namespace fxcut {
namespace {

constexpr std::string_view kSignature = "Graph signature:";

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

ExportSignature read_signature(const std::vector<SourceLine>& lines, std::size_t begin) {
  ExportSignature signature;
  std::vector<SignatureEntry>* list = nullptr;
  for (std::size_t i = begin; i < lines.size(); ++i) {
    const std::string_view line = without_blanks(lines[i].text);
    if (line.starts_with("Range constraints")) break;
    if (line == "# inputs") list = &signature.inputs;
    if (line == "# outputs") list = &signature.outputs;
    const std::size_t colon = line.find(": ");
    if (!list || line.starts_with('#') || colon == std::string_view::npos) continue;
    const std::string_view kind = line.substr(colon + 2);
    list->push_back({std::string(line.substr(0, colon)), std::string(kind.substr(0, kind.find(' ')))});
  }
  return signature;
}

std::vector<GraphSource> find_archived_programs(std::string_view bytes, std::string_view file, std::size_t most_bytes) {
  std::vector<GraphSource> graphs;
  for (ArchivedModel& model : read_archived_models(bytes, file, most_bytes)) {
    const std::string place = fmt::format("{}, models/{}.json", file, model.name);
    graphs.push_back(read_exported_program(model.json, place, std::move(model.name)));
  }
  return graphs;
}

bool is_json(std::string_view text) { return without_blanks(text.substr(0, text.find('{') + 1)) == "{"; }

}  // namespace

bool is_stored_program(std::string_view bytes) {
  return is_archive(bytes) || (is_json(bytes) && bytes.find("\"graph_module\"") != std::string_view::npos);
}

std::vector<GraphSource> find_exported_graphs(std::string_view text, std::string_view file, std::size_t most_bytes) {
  if (is_archive(text)) return find_archived_programs(text, file, most_bytes);
  if (is_json(text)) return {read_exported_program(text, std::string(file), "model")};
  std::vector<GraphSource> graphs = find_printed_graphs(text);
  for (GraphSource& graph : graphs) {
    const auto signature = std::find_if(graph.lines.begin(), graph.lines.end(), [](const SourceLine& line) {
      return without_blanks(line.text).starts_with(kSignature);
    });
    if (signature == graph.lines.end()) continue;
    graph.signature = read_signature(graph.lines, static_cast<std::size_t>(signature - graph.lines.begin()));
    graph.lines.erase(signature, graph.lines.end());
  }
  return graphs;
}

}  // namespace fxcut
