// fxcut validate: only reads, and lists every mistake that it finds.
#include <fmt/format.h>

#include <ostream>

#include "cli/options.h"
#include "cli/warnings.h"
#include "read/read_graph.h"
#include "write/files.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut validate GRAPH...\n\n"
    "Reads joint graphs (- is standard input) and lists every mistake that it finds, each with its place. The exit\n"
    "status is 0 where there is none, 3 where there are, and 5 where a file cannot be read.\n\n";

ExitStatus validate(const std::string& path, std::ostream& out, std::ostream& err) {
  try {
    const std::string file_name = path == "-" ? "standard input" : path;
    const auto document = Document::parse(read_file(path), file_name);
    const JointGraph joint = read_joint_graph(*document);
    warn_of_unknown_release(joint, file_name, err);
    warn_of_unknown_operators(joint, file_name, err);
    out << fmt::format("{}: {} nodes, no mistakes\n", file_name, joint.graph.size());
    return ExitStatus::Done;
  } catch (const Failure& failure) {
    err << failure.what() << "\n";
    return failure.status();
  }
}

}  // namespace

ExitStatus run_validate(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  std::vector<std::string> graphs;
  bool help = false;
  po::options_description visible("Options"), all;
  visible.add_options()("help", po::bool_switch(&help), "show this text");
  all.add(visible).add_options()("graph", po::value(&graphs), "");
  parse_options(arguments, all, po::positional_options_description().add("graph", -1), "validate");
  if (help) {
    out << kUsage << visible;
    return ExitStatus::Done;
  }
  if (graphs.empty()) throw Failure(ExitStatus::Usage, "expected a graph", "'fxcut validate GRAPH.json...'");
  ExitStatus worst = ExitStatus::Done;
  for (const std::string& path : graphs) worst = std::max(worst, validate(path, out, err));
  return worst;
}

}  // namespace fxcut
