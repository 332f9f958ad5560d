// fxcut import: joint graphs from PyTorch's printed text, logs and exports.
#include <fmt/format.h>

#include <ostream>

#include "cli/command.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "import/import.h"
#include "text/comma_list.h"
#include "read/decompress.h"
#include "read/read_file.h"
#include "text/printable.h"
#include "write/files.h"

namespace fxcut::import_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut import FILE [--output GRAPH.json | --output-dir DIR] [OPTION...]\n\n"
    "Reads joint graphs from what PyTorch prints or stores (- is standard input) and writes them as JSON: the text of\n"
    "TORCH_LOGS=aot_joint_graph, the log of TORCH_TRACE that tlparse reads, with every compilation of a rank, or an\n"
    "ExportedProgram with a joint graph, as torch.export.save stores it (.pt2) or print() shows it. Facts that these\n"
    "lack are assumed, and listed on standard error and in the member 'import' of each graph. A single graph goes to\n"
    "standard output unless an option names a file.\n\n"
    "Example: TORCH_LOGS=aot_joint_graph python train.py 2> log; fxcut import log --output-dir graphs\n\n";

struct Request {
  std::string file, format, output, output_dir, static_inputs, hints;
  int forward_outputs = 0;
  bool force = false;
};

std::optional<ImportFormat> parse_format(const std::string& name) {
  constexpr OutputFormat<ImportFormat> kFormats[] = {
      {"text", ImportFormat::Text}, {"trace", ImportFormat::Trace}, {"export", ImportFormat::Export}};
  return name.empty() ? std::nullopt : std::optional(format_named(name, kFormats));
}

void add_options(CommandLine& line, Request& request) {
  line.add({"format", "FORMAT", "the format of the file: text, trace or export; default: detected"}, request.format);
  line.add({"output", "GRAPH", "write the graph, which must be the only one, to this file"}, request.output);
  line.add({"output-dir", "DIR", "write each graph to DIR/NAME.json"}, request.output_dir);
  line.add(kForce, request.force);
  line.add({"forward-outputs", "N",
            "the number of outputs of the forward; default: taken from the file, else all but a gradient for each input"},
           request.forward_outputs);
  line.add({"static-inputs", "NAME,...",
            "the inputs that are always resident, such as parameters; default: taken from the file, else none"},
           request.static_inputs);
  line.add({"hints", "SYMBOL=N,...", "numbers for symbolic sizes; default: taken from the file, else 4096"}, request.hints);
}

void write(const std::vector<ImportedGraph>& graphs, const Request& request, std::ostream& out) {
  if (!request.output_dir.empty()) {
    std::vector<OutputFile> files;
    for (const ImportedGraph& graph : graphs) files.push_back({graph.name + ".json", graph.json});
    return write_files(request.output_dir, files, request.force);
  }
  if (graphs.size() > 1) {
    throw Failure(ExitStatus::Usage, fmt::format("{} graphs in {}", graphs.size(), request.file),
                  "--output-dir DIR writes each to a file");
  }
  if (request.output.empty()) return void(out << graphs.front().json);
  write_files({single_file(request.output, graphs.front().json, "--output")}, request.force);
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  Request request;
  CommandLine line("import", kUsage);
  add_options(line, request);
  line.add_argument("file", request.file);
  const auto given = line.parse(arguments, out);
  if (!given) return ExitStatus::Done;
  if (request.file.empty()) {
    throw Failure(ExitStatus::Usage, "expected a file", "'fxcut import FILE', or - for standard input");
  }
  if (!request.output.empty() && !request.output_dir.empty()) throw cannot_be_combined("--output", "--output-dir");
  ImportRequest import;
  import.format = parse_format(request.format);
  import.hints = parse_hints(request.hints);
  if (given->contains("static-inputs")) {
    import.static_inputs = split_at_commas(request.static_inputs);
    std::erase(*import.static_inputs, "");
  }
  if (given->contains("forward-outputs")) {
    if (request.forward_outputs < 0) {
      throw Failure(ExitStatus::Usage, fmt::format("--forward-outputs {}: expected 0 or more", request.forward_outputs));
    }
    import.forward_outputs = static_cast<std::size_t>(request.forward_outputs);
  }
  const std::string file = shown_name(request.file);
  std::string stored = within_memory(file, [&] { return read_file(request.file); });
  import.most_unpacked_bytes = most_decompressed(stored.size(), allowed_expansion());
  const std::vector<ImportedGraph> graphs = within_memory(file, [&] {
    return import_graphs(decompressed(std::move(stored), file, allowed_expansion()), file, import);
  });
  for (const ImportedGraph& graph : graphs) {
    err << fmt::format("fxcut: {}: graph {}, {} nodes\n", printable(file), printable(graph.name), graph.nodes);
    for (const std::string& note : graph.notes) err << "  " << printable(note) << "\n";
  }
  write(graphs, request, out);
  return ExitStatus::Done;
}

}  // namespace fxcut::import_command
