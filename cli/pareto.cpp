// fxcut pareto: the trade-off between memory and recomputation.
#include <fmt/format.h>

#include <optional>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cost/estimators.h"
#include "frontier/recompute_problem.h"
#include "pipeline/pipeline.h"
#include "pipeline/pytorch_points.h"
#include "report/pareto.h"

namespace fxcut::pareto_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut pareto GRAPH.json [--estimator NAME] [--pytorch] [--format text|json|csv|svg[=FILE]]... [--force]\n"
    "                    [--config FILE] [--set KEY=VALUE]... [--policy FILE] [--save-names A,B]...\n\n"
    "Reads a joint graph (- is standard input) and prints the least recomputation for each amount of saved memory:\n"
    "the corners of the lower convex hull, each the best decision at its price of memory, and decisions between them.\n\n"
    "Example: fxcut pareto joint.json --pytorch --svg chart.svg\n\n";

constexpr OutputFormat<std::string (*)(const Pareto&)> kFormats[] = {
    {"text", pareto_table},
    {"json", pareto_json, kJson},
    {"csv", pareto_csv, kCsv},
    {"svg", pareto_svg, {"svg", "FILE", "also draw a chart: the same as --format svg=FILE"}}};

struct Request {
  std::string graph;
  DecisionOptions decision;
  std::string estimator;
  bool with_pytorch = false;
  FormatOptions formats{kFormats};
  bool overwrite = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("pareto", kUsage);
  request->decision.add_to(line, DecisionOptions::Limits::No);
  line.add({"estimator", "NAME",
            "how recomputation is priced: flops, roofline (of the device), profile (runtime_ms of the graph) or testing"},
           request->estimator);
  line.add({"pytorch", "", "also PyTorch's answers, under its defaults and several settings"}, request->with_pytorch);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  if (!parse_on_graph(line, arguments, request->graph, out)) return std::nullopt;
  request->decision.refuse_second_standard_input(request->graph);
  request->formats.choices();  // throws where they contradict each other
  return request;
}

// By --estimator, or else by the settings.
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

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const Settings settings = request->decision.resolve_settings();
  const PolicyStack policies = request->decision.resolve_policies();
  const Estimator& estimator = choose_estimator(*request, settings);
  const GraphFile file = read_graph_file(request->graph, err, settings.torch_version);
  const Stopwatch tracing(err);
  const Pareto pareto = within_memory(
      file.name, [&] { return trace(file.joint, settings, policies, estimator, request->with_pytorch, file.name); });
  tracing.done("traced the frontier");
  print_formats(request->formats, kFormats, request->overwrite, out, pareto);
  return ExitStatus::Done;
}

}  // namespace fxcut::pareto_command
