// fxcut pareto: the trade-off between memory and recomputing.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cost/estimators.h"
#include "frontier/costed_problem.h"
#include "pipeline/pipeline.h"
#include "pipeline/pytorch_points.h"
#include "report/pareto_csv.h"
#include "report/pareto_json.h"
#include "report/pareto_svg.h"
#include "report/pareto_table.h"
#include "write/files.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut pareto GRAPH.json [--estimator NAME] [--pytorch] [--csv | --json] [--svg FILE] [--force]\n"
    "                    [--config FILE] [--set KEY=VALUE]... [--policy FILE] [--save-names A,B]...\n\n"
    "Reads a joint graph (- is standard input) and prints how much has to be computed again for each amount of memory\n"
    "that values saved for the backward may take: the corners of the lower convex hull, each the best choice of all at "
    "its\n"
    "price of memory, and choices between them.\n\n"
    "Example: fxcut pareto joint.json --pytorch --svg chart.svg\n\n";

struct Request {
  std::string graph;
  DecisionOptions decision;
  std::string estimator;
  bool with_pytorch = false;
  bool as_csv = false, as_json = false;
  std::string svg;
  bool overwrite = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.decision.add_without_limits(options);
  options.add_options()
      ("estimator", po::value(&request.estimator)->value_name("NAME"),
       "what recomputing costs: flops, roofline (of the device), profile (runtime_ms of the graph) or testing")
      ("pytorch", po::bool_switch(&request.with_pytorch),
       "PyTorch's answers beside it, under its defaults and several settings")
      ("csv", po::bool_switch(&request.as_csv), "print a line a point, separated by commas")
      ("json", po::bool_switch(&request.as_json), "print JSON instead of the table")
      ("svg", po::value(&request.svg)->value_name("FILE"), "also draw a chart into FILE")
      ("force", po::bool_switch(&request.overwrite), "replace FILE where it is there already")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  const po::options_description visible = visible_options(request);
  parse_options_on_graph(arguments, visible, request.graph, request.help, "pareto");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  request.decision.refuse_second_standard_input(request.graph);
  if (request.as_csv && request.as_json) {
    throw Failure(ExitStatus::Usage, "--csv and --json: one of them can be printed");
  }
  return request;
}

// The one of --estimator, or else of the settings.
const Estimator& choose_estimator(const Request& request, const Settings& settings) {
  if (request.estimator.empty()) return estimator_of(settings);
  if (const auto found = find_row(estimators(), request.estimator)) return found->in(estimators());
  std::vector<std::string_view> names;
  for (const Estimator& row : estimators()) names.push_back(row.name);
  throw Failure(ExitStatus::Usage, fmt::format("unknown estimator '{}'", request.estimator),
                did_you_mean_or_known(request.estimator, names));
}

// The trade-off of the graph in the file of that name.
Pareto trace(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
             const Estimator& estimator, bool with_pytorch, const std::string& file_name) {
  Pareto pareto{
      joint.name, joint.torch.release, std::string(estimator.name), std::string(estimator.shown_unit), {}, {}};
  try {
    for (const FrontierPoint& choice : trace_frontier(joint, settings, estimator, policies)) {
      pareto.points.push_back({choice, std::nullopt});
    }
    if (with_pytorch) pareto.pytorch = pytorch_points(joint, settings, policies, estimator, usual_changes());
  } catch (const Failure& failure) {
    throw about_file(failure, file_name);
  }
  return pareto;
}

void draw(const Pareto& pareto, const Request& request) {
  const std::string picture = pareto_svg(pareto);
  write_files({single_file(request.svg, picture, "--svg")}, request.overwrite);
}

}  // namespace

ExitStatus run_pareto(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const Settings settings = request.decision.resolve_settings();
  const PolicyStack policies = request.decision.resolve_policies();
  const Estimator& estimator = choose_estimator(request, settings);
  const GraphFile file = read_graph_file(request.graph, err, settings.torch_version);
  const Stopwatch tracing(err);
  const Pareto pareto = within_memory(
      file.name, [&] { return trace(file.joint, settings, policies, estimator, request.with_pytorch, file.name); });
  tracing.done("traced the frontier");
  if (!request.svg.empty()) draw(pareto, request);
  out << (request.as_csv ? pareto_csv(pareto) : request.as_json ? pareto_json(pareto) : pareto_table(pareto));
  return ExitStatus::Done;
}

}  // namespace fxcut
