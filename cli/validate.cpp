// fxcut validate: reads graphs and lists every mistake.
#include <fmt/format.h>

#include <ostream>

#include "cli/graph_file.h"
#include "cli/options.h"
#include "text/printable.h"

namespace fxcut::validate_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut validate GRAPH...\n\n"
    "Reads joint graphs (- is standard input) and lists every mistake, each with its place. The exit status is 0 if\n"
    "there is none, 3 if there are any, and 5 if a file cannot be read.\n\n"
    "Example: fxcut validate captured/*.json\n\n";

ExitStatus validate(const std::string& path, std::ostream& out, std::ostream& err) {
  try {
    const GraphFile file = read_graph_file(path, err);
    out << fmt::format("{}: {} nodes, no mistakes\n", printable(file.name), file.joint.graph.size());
    return ExitStatus::Done;
  } catch (const Failure& failure) {
    err << failure.what() << "\n";
    return failure.status();
  }
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<std::string> graphs;
  CommandLine line("validate", kUsage);
  line.add_argument("graph", graphs, -1);
  if (!line.parse(arguments, out)) return ExitStatus::Done;
  if (graphs.empty()) throw Failure(ExitStatus::Usage, "expected a graph", "'fxcut validate GRAPH.json...'");
  ExitStatus worst = ExitStatus::Done;
  for (const std::string& path : graphs) worst = std::max(worst, validate(path, out, err));
  return worst;
}

}  // namespace fxcut::validate_command
