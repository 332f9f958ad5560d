// fxcut show: a graph for people to look at.
#include <fmt/format.h>

#include <array>
#include <ostream>

#include "cli/command.h"
#include "cli/graph_file.h"
#include "cli/options.h"
#include "show/graph_code.h"
#include "show/graph_table.h"
#include "show/readable.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut show GRAPH.json [--as code|table]\n\n"
    "Reads a joint graph, or the forward or backward of one (- is standard input), and prints it for people.\n\n"
    "Example: fxcut show forward.json --as code --readable\n\n";

struct Request {
  std::string graph;
  std::string form = "code";
  bool readable = false;
  bool as_traced = false;
  bool help = false;
};

constexpr std::array<std::string_view, 2> kForms = {"code", "table"};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  options.add_options()
      ("as", po::value(&request.form)->value_name("FORM"), "code, table")
      ("readable", po::bool_switch(&request.readable), "code with dtypes, shapes and where it comes from")
      ("as-traced", po::bool_switch(&request.as_traced), "code that takes primals and tangents as lists")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

}  // namespace

ExitStatus run_show(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  Request request;
  const po::options_description visible = visible_options(request);
  parse_options_on_graph(arguments, visible, request.graph, request.help, "show");
  if (request.help) {
    out << kUsage << visible;
    return ExitStatus::Done;
  }
  const GraphFile file = read_any_graph_file(request.graph, err);
  const CodeStyle style{file.joint.torch.release, request.as_traced};
  if (request.form == "table") {
    write_graph_table(file.joint.graph, out);
  } else if (request.readable) {
    out << readable_code(file.joint, *file.document, style) << "\n";
  } else {
    out << graph_code(file.joint.graph, style) << "\n";
  }
  return ExitStatus::Done;
}

}  // namespace fxcut
