// fxcut pareto: the trade-off between memory and recomputing.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/graph_file.h"
#include "cli/named_failure.h"
#include "cli/options.h"
#include "cli/settings_options.h"
#include "cost/recompute_cost.h"
#include "pipeline.h"
#include "pytorch_points.h"
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
    "                    [--config FILE] [--set KEY=VALUE]...\n\n"
    "Reads a joint graph (- is standard input) and prints how much has to be computed again for each amount of memory\n"
    "that values saved for the backward may take: the corners of the lower convex hull, each the best choice of all at "
    "its\n"
    "price of memory, and choices between them.\n\n";

struct Request {
  std::string graph;
  SettingsOptions settings;
  std::string estimator = std::string(recompute_costs().front().estimator);
  bool with_pytorch = false;
  bool as_csv = false, as_json = false;
  std::string svg;
  bool overwrite = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.settings.add_to(options);
  options.add_options()
      ("estimator", po::value(&request.estimator)->value_name("NAME"),
       "what recomputing costs: flops, roofline (of the device) or profile (runtime_ms of the graph)")
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
  if ((request.graph == "-") + (request.settings.config == "-") + (request.settings.device_profile == "-") > 1) {
    throw Failure(ExitStatus::Usage, "standard input can be one file only: the graph, the settings or the device");
  }
  if (request.as_csv && request.as_json) {
    throw Failure(ExitStatus::Usage, "--csv and --json: one of them can be printed");
  }
  return request;
}

const RecomputeCost& estimator_of(const Request& request) {
  if (const RecomputeCost* found = find_recompute_cost(request.estimator)) return *found;
  std::vector<std::string_view> names;
  for (const RecomputeCost& row : recompute_costs()) names.push_back(row.estimator);
  throw Failure(ExitStatus::Usage, fmt::format("unknown estimator '{}'", request.estimator),
                did_you_mean_or_known(request.estimator, names));
}

// The trade-off of the graph in the file of that name.
Pareto trace(const JointGraph& joint, const Settings& settings, const RecomputeCost& estimator, bool with_pytorch,
             const std::string& file_name) {
  Pareto pareto{
      joint.name, joint.torch.release, std::string(estimator.estimator), std::string(estimator.shown_unit), {}, {}};
  try {
    for (const FrontierPoint& choice : trace_frontier(joint, settings, estimator)) {
      pareto.points.push_back({choice, std::nullopt});
    }
    if (with_pytorch) pareto.pytorch = pytorch_points(joint, settings, estimator, usual_changes());
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
  const Settings settings = request.settings.resolve();
  const RecomputeCost& estimator = estimator_of(request);
  const GraphFile file = read_graph_file(request.graph, err, settings.torch_version);
  const Pareto pareto = trace(file.joint, settings, estimator, request.with_pytorch, file.name);
  if (!request.svg.empty()) draw(pareto, request);
  out << (request.as_csv ? pareto_csv(pareto) : request.as_json ? pareto_json(pareto) : pareto_table(pareto));
  return ExitStatus::Done;
}

}  // namespace fxcut
