// fxcut import: joint graphs from PyTorch's printed text, logs and exports.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/keep_inputs.h"
#include "cli/memory_cap.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "import/import.h"
#include "text/comma_list.h"
#include "read/decompress.h"
#include "read/read_file.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "write/files.h"

namespace fxcut::import_command {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsage =
    "usage: fxcut import FILE [--output GRAPH.json | --output-dir DIR] [OPTION...]\n"
    "       fxcut import DIR --output-dir DIR [OPTION...]\n\n"
    "Reads joint graphs from what PyTorch prints or stores (- is standard input) and writes them as JSON: the text of\n"
    "TORCH_LOGS=aot_joint_graph, the log of TORCH_TRACE that tlparse reads, with every compilation of a rank, or an\n"
    "ExportedProgram with a joint graph, as torch.export.save stores it (.pt2) or print() shows it. Facts that these\n"
    "lack are assumed, and listed on standard error and in the member 'import' of each graph. A single graph goes to\n"
    "standard output unless an option names a file. Of a directory all files are read, not those in directories in it;\n"
    "files without a joint graph are counted, and the graphs of FILE are written to DIR/FILE/NAME.json.\n\n"
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
            "the number of outputs of the forward; default: taken from the file, otherwise all except a gradient for each input"},
           request.forward_outputs);
  line.add({"static-inputs", "NAME,...",
            "the inputs that are always resident, such as parameters; default: taken from the file, otherwise none"},
           request.static_inputs);
  line.add({"hints", "SYMBOL=N,...", "numbers for symbolic sizes; default: taken from the file, otherwise 4096"}, request.hints);
}

// The graphs of a file of a directory, or of the only file.
struct ImportedFile {
  std::string directory;  // for its graphs, below the output directory; empty for the only file
  std::vector<ImportedGraph> graphs;
};

void write(const std::vector<ImportedFile>& files, const Request& request, std::ostream& out) {
  if (!request.output_dir.empty()) {
    std::vector<OutputDirectory> outputs;
    for (const ImportedFile& file : files) {
      OutputDirectory output{fs::path(request.output_dir) / file.directory, {}, "--output-dir"};
      for (const ImportedGraph& graph : file.graphs) output.files.push_back({graph.name + ".json", graph.json});
      outputs.push_back(std::move(output));
    }
    return write_beside_inputs(outputs, request.force);
  }
  const std::vector<ImportedGraph>& graphs = files.front().graphs;
  if (graphs.size() > 1) {
    throw Failure(ExitStatus::Usage, fmt::format("{} graphs in {}", graphs.size(), request.file),
                  "--output-dir DIR writes each to a file");
  }
  if (request.output.empty()) return void(out << graphs.front().json);
  write_beside_inputs({single_file(request.output, graphs.front().json, "--output")}, request.force);
}

// Throws Failure (BadInput) if there is no joint graph in the file.
std::vector<ImportOutcome> import_file(const std::string& path, ImportRequest import) {
  const std::string file = shown_name(path);
  std::string stored = within_memory(file, [&] { return read_file(path); });
  import.most_unpacked_bytes = max_decompressed_bytes(stored.size(), allowed_expansion());
  return within_memory(file, [&] {
    return import_each(decompressed(std::move(stored), file, allowed_expansion()), file, import);
  });
}

// All of them; throws the first failure.
std::vector<ImportedGraph> graphs_of(std::vector<ImportOutcome> outcomes) {
  std::vector<ImportedGraph> graphs;
  for (ImportOutcome& outcome : outcomes) {
    if (outcome.failure) throw *outcome.failure;
    graphs.push_back(std::move(*outcome.graph));
  }
  return graphs;
}

void tell_of(const std::string& path, const std::vector<ImportedGraph>& graphs, std::ostream& err) {
  for (const ImportedGraph& graph : graphs) {
    print_message(
        err, fmt::format("fxcut: {}: graph {}, {} nodes\n", printable(shown_name(path)), printable(graph.name), graph.nodes));
    for (const std::string& note : graph.notes) print_message(err, fmt::format("  {}\n", printable(note)));
  }
}

std::vector<fs::path> files_in(const std::string& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code unknown;
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (!is_hidden && entry->is_regular_file(unknown)) files.push_back(entry->path());
  }
  if (error) throw Failure(ExitStatus::FileTrouble, {{directory, "cannot be read: " + error.message(), "make it readable"}});
  std::sort(files.begin(), files.end());
  return files;
}

// All files of a directory that have a joint graph; reports the others. Throws the first one's failure if none has.
std::vector<ImportedFile> import_directory(const std::string& directory, const ImportRequest& import, std::ostream& err) {
  std::vector<ImportedFile> imported;
  std::vector<std::string> others;
  std::optional<Failure> why;
  for (const fs::path& path : files_in(directory)) {
    std::vector<ImportOutcome> outcomes;
    try {
      outcomes = import_file(path.string(), import);
    } catch (const Failure& failure) {
      if (failure.status() != ExitStatus::BadInput) throw;
      if (!why) why = failure;
      others.push_back(path.string());
      continue;
    }
    imported.push_back({path.filename().string(), graphs_of(std::move(outcomes))});
    tell_of(path.string(), imported.back().graphs, err);
  }
  if (imported.empty()) {
    const std::string files = show_count(others.size(), "file");
    throw Failure(ExitStatus::BadInput, {{directory, fmt::format("none of its {} has a joint graph", files),
                                          "expected texts of TORCH_LOGS=aot_joint_graph, logs of TORCH_TRACE or exports"}});
  }
  if (!others.empty()) {
    const Diagnostic& first = why->diagnostics().front();
    print_message(err, fmt::format("fxcut: left out {} without a joint graph, such as {}: {}\n",
                                   show_count(others.size(), "file"), printable(others.front()), printable(first.message)));
  }
  return imported;
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
  std::vector<ImportedFile> files;
  std::error_code error;
  const bool is_directory = fs::is_directory(request.file, error);
  if (is_directory) {
    if (request.output_dir.empty()) {
      throw Failure(ExitStatus::Usage, fmt::format("{} is a directory: expected --output-dir DIR for its graphs", request.file));
    }
    files = import_directory(request.file, import, err);
  } else {
    files.push_back({"", graphs_of(import_file(request.file, import))});
  }
  std::vector<std::string_view> texts;
  for (const ImportedFile& file : files) {
    for (const ImportedGraph& graph : file.graphs) texts.push_back(graph.json);
  }
  refuse_unknown_symbols(import.hints, texts);
  if (!is_directory) tell_of(request.file, files.front().graphs, err);
  write(files, request, out);
  return ExitStatus::Done;
}

}  // namespace fxcut::import_command
