// fxcut import: joint graphs from what PyTorch prints and logs.
#include <fmt/format.h>

#include <ostream>

#include "cli/command.h"
#include "cli/hints_option.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/settings_options.h"
#include "import/import.h"
#include "policy/comma_list.h"
#include "read/decompress.h"
#include "read/read_file.h"
#include "text/printable.h"
#include "write/files.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut import FILE [--output GRAPH.json | --output-dir DIR] [OPTION...]\n\n"
    "Reads joint graphs from what PyTorch prints or stores (- is standard input) and writes them as JSON: the text of\n"
    "TORCH_LOGS=aot_joint_graph, the log of TORCH_TRACE that tlparse reads, with every compilation of a rank, or an\n"
    "ExportedProgram with a joint graph, as torch.export.save stores it (.pt2) or print() shows it. What these do not\n"
    "hold is assumed: standard error says so, and so does the member 'import' of each graph. A single graph goes to\n"
    "standard output where no option says where.\n\n"
    "Example: TORCH_LOGS=aot_joint_graph python train.py 2> log; fxcut import log --output-dir graphs\n\n";

struct Request {
  std::string file, format, output, output_dir, static_inputs, hints;
  int forward_outputs = 0;
  bool force = false;
  bool help = false;
};

std::optional<ImportFormat> parse_format(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "text") return ImportFormat::Text;
  if (name == "trace") return ImportFormat::Trace;
  if (name == "export") return ImportFormat::Export;
  throw Failure(ExitStatus::Usage, fmt::format("--format: unknown format '{}'", name),
                did_you_mean_or_known(name, {"text", "trace", "export"}));
}

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  options.add_options()
      ("format", po::value(&request.format)->value_name("FORMAT"),
       "what the file is: text, trace or export (default: as it looks)")
      ("output", po::value(&request.output)->value_name("GRAPH"), "write the graph to this file; there must be one")
      ("output-dir", po::value(&request.output_dir)->value_name("DIR"), "write each graph to DIR/NAME.json")
      ("force", po::bool_switch(&request.force), "replace files that are there")
      ("forward-outputs", po::value(&request.forward_outputs)->value_name("N"),
       "how many outputs are the forward's (default: as the file says, or all but a gradient for each input)")
      ("static-inputs", po::value(&request.static_inputs)->value_name("NAME,..."),
       "the inputs that live anyway, such as parameters (default: as the file says, or none)")
      ("hints", po::value(&request.hints)->value_name("SYMBOL=N,..."),
       "what symbolic sizes count (default: as the file says, or 4096)")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
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
  const std::filesystem::path path = request.output;
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  write_files(directory, {{path.filename().string(), graphs.front().json}}, request.force, "--output");
}

}  // namespace

ExitStatus run_import(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  Request request;
  const po::options_description visible = visible_options(request);
  po::options_description all;
  all.add(visible).add_options()("file", po::value(&request.file), "");
  const po::variables_map given =
      parse_options(arguments, all, po::positional_options_description().add("file", 1), "import");
  if (request.help) {
    out << kUsage << visible;
    return ExitStatus::Done;
  }
  if (request.file.empty()) {
    throw Failure(ExitStatus::Usage, "expected a file", "'fxcut import FILE', or - for standard input");
  }
  if (!request.output.empty() && !request.output_dir.empty()) {
    throw Failure(ExitStatus::Usage, "--output and --output-dir: expected one of them");
  }
  ImportRequest import;
  import.format = parse_format(request.format);
  import.hints = parse_hints(request.hints);
  if (given.contains("static-inputs")) {
    import.static_inputs = split_at_commas(request.static_inputs);
    std::erase(*import.static_inputs, "");  // '' is no input at all
  }
  if (given.contains("forward-outputs")) {
    if (request.forward_outputs < 0) throw Failure(ExitStatus::Usage, "--forward-outputs: expected a number from 0 on");
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

}  // namespace fxcut
