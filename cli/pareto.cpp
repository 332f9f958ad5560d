// fxcut pareto: the trade-off between memory and recomputation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/hints_option.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "frontier/recompute_problem.h"
#include "html/pareto_page.h"
#include "partition/partition.h"
#include "partition/pytorch_points.h"
#include "partition/trace_frontier.h"
#include "report/pareto.h"
#include "step/settings_for_step.h"

namespace fxcut::pareto_command {
namespace {

constexpr std::size_t kMaxBetweenCorners = 256;  // more points than a chart can show
constexpr std::size_t kMaxSteps = 48;            // with --by peak; predicting a step's code takes longer than a cut

constexpr std::string_view kUsage =
    "usage: fxcut pareto GRAPH.json [--by saved|peak] [--estimator NAME] [--pytorch] [--format text|json|csv|svg|html[=FILE]]... "
    "[--force]\n"
    "                    [--config FILE] [--set KEY=VALUE]... [--policy FILE] [--save-names A,B]...\n\n"
    "Reads a joint graph (- is standard input) and prints the least recomputation for each amount of saved memory:\n"
    "the corners of the lower convex hull, each the best decision at its price of memory, and decisions between them.\n"
    "With --by peak, only those of these decisions with the fastest step within each peak of memory.\n\n"
    "Example: fxcut pareto joint.json --pytorch --svg chart.svg\n\n";

constexpr OutputFormat<std::string (*)(const Pareto&)> kFormats[] = {
    {"text", pareto_table},
    {"json", pareto_json, kJson},
    {"csv", pareto_csv, kCsv},
    {"svg", pareto_svg, {"svg", "FILE", "also draw a chart: the same as --format svg=FILE"}},
    {"html", pareto_page, {"html", "FILE", "also write a page whose points can be picked: the same as --format html=FILE"}}};

struct Request {
  std::string graph;
  DecisionOptions decision;
  HintsOption hints;
  std::string by = "saved", estimator;
  bool with_pytorch = false;
  FormatOptions formats{kFormats};
  bool overwrite = false;
};

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("pareto", kUsage);
  request->decision.add_to(line, DecisionOptions::Limits::No);
  request->hints.add_to(line, HintsOption::Numbers::One);
  line.add({"by", "NAME",
            "saved: recomputation against held bytes, the default; peak: the step's time against its peak, of inductor's code "
            "if that is predicted"},
           request->by);
  line.add({"estimator", "NAME",
            "how recomputation is priced: flops, roofline (of the device), profile (runtime_ms of the graph) or testing"},
           request->estimator);
  line.add({"pytorch", "", "also PyTorch's answers, under its defaults and several settings"}, request->with_pytorch);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  if (!parse_on_graph(line, arguments, request->graph, out)) return std::nullopt;
  request->decision.refuse_second_standard_input(request->graph);
  if (request->by != "saved" && request->by != "peak") {
    throw Failure(ExitStatus::Usage, fmt::format("--by {}: no such trade-off", request->by), "expected saved or peak");
  }
  request->formats.choices();  // throws if they contradict each other
  return request;
}

// Quoted for a shell.
std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text + "'";
}

// A limit of the settings has no effect on a trade-off, but these would be part of it.
void refuse_forms(const Settings& settings) {
  if (settings.compress == Compress::None) return;
  throw Failure(ExitStatus::Usage, "pareto traces what keeping and recomputing values costs, without compress",
                "drop compress here, and choose a limit for 'fxcut partition --saved-bytes SIZE --compress NAME'");
}

// What a trade-off leaves out of the policies.
void warn_of_means(const PolicyStack& policies, const std::string& file_name, std::ostream& err) {
  const auto copies = [](const Policy& policy) { return asks_for_copies(policy); };
  if (std::ranges::any_of(policies, copies)) {
    warn(err, file_name, "a policy copies values to the host: in this trade-off they are kept on the device");
  }
  if (std::ranges::any_of(policies, asks_for_forms)) {
    warn(err, file_name, "a policy compresses values: in this trade-off they are kept whole");
  }
}

// The command that partitions the graph under the same settings: these arguments without those only for a trade-off.
std::string partition_command(const CommandArguments& arguments, const Estimator& estimator) {
  constexpr std::array<std::string_view, 5> kFlags = {"--pytorch", "--force", "--csv", "--json", "--quiet"};
  constexpr std::array<std::string_view, 5> kWithValue = {"--by", "--estimator", "--format", "--svg", "--html"};
  const auto is_one_of = [](const auto& options, std::string_view word) {
    return std::find(options.begin(), options.end(), word.substr(0, word.find('='))) != options.end();
  };
  std::string command = "fxcut partition";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (is_one_of(kFlags, arguments[i])) continue;
    if (!is_one_of(kWithValue, arguments[i])) {
      command += " " + quoted(arguments[i]);
    } else if (arguments[i].find('=') == std::string::npos) {
      ++i;
    }
  }
  const bool is_default = &estimator == &estimator_of_frontier({});
  if (!is_default) command += fmt::format(" --set activation_memory_budget_runtime_estimator={}", estimator.name);
  return command;
}

// The estimator of --estimator, otherwise of the settings.
const Estimator& choose_estimator(const Request& request, const Settings& settings) {
  if (request.estimator.empty()) return estimator_of_frontier(settings);
  if (const auto found = find_row(estimators(), request.estimator)) return found->in(estimators());
  std::vector<std::string_view> names;
  for (const Estimator& row : estimators()) names.push_back(row.name);
  throw Failure(ExitStatus::Usage, fmt::format("unknown estimator '{}'", request.estimator),
                did_you_mean_or_known(request.estimator, names));
}

std::vector<ParetoPoint> points_by_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                        const Estimator& estimator) {
  std::vector<ParetoPoint> points;
  for (TracedStep& step : trace_peaks(joint, settings, estimator, policies, kMaxSteps)) {
    step.choice.corner = false;  // of another hull
    points.push_back({std::move(step.choice), std::nullopt, StepFigures{step.peak_bytes, step.ms}});
  }
  return points;
}

std::vector<ParetoPoint> points_by_saved_bytes(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                               const Estimator& estimator) {
  std::vector<ParetoPoint> points;
  for (auto& [choice, peak_bytes] : trace_frontier(joint, settings, estimator, policies, kMaxBetweenCorners)) {
    points.push_back({std::move(choice), peak_bytes});
  }
  return points;
}

// The trade-off of the graph in the file of that name.
Pareto trace(const JointGraph& joint, const Settings& settings, const PolicyStack& policies, const Estimator& estimator,
             const Request& request, const std::string& file_name) {
  Pareto pareto{
      joint.name, joint.torch.release, std::string(estimator.name), std::string(estimator.shown_unit), {}, {}, {}};
  if (request.by == "peak") pareto.by = ParetoBy::Peak;
  pareto.is_compiled = memory_of(joint, settings) == MemoryOf::Compiled;
  pareto.device = device_of(settings, joint.graph).profile.name;
  try {
    const auto points = pareto.by == ParetoBy::Peak ? points_by_peak : points_by_saved_bytes;
    pareto.points = points(joint, settings, policies, estimator);
    if (request.with_pytorch) {
      pareto.pytorch = pytorch_points(joint, settings, policies, estimator, usual_changes(), pareto.by);
    }
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
  refuse_forms(settings);
  const PolicyStack policies = request->decision.resolve_policies();
  const Estimator& estimator = choose_estimator(*request, settings);
  const GraphFile file =
      request->hints.one_of(read_graph_file(request->graph, err, settings.torch_version), settings.torch_version);
  warn_of_means(policies, file.name, err);
  const Stopwatch tracing(err);
  Pareto pareto = within_memory(
      file.name, [&] { return trace(file.joint, settings, policies, estimator, *request, file.name); });
  tracing.done("traced the frontier");
  pareto.command = partition_command(arguments, estimator);
  print_formats(request->formats, kFormats, request->overwrite, out, pareto);
  return ExitStatus::Done;
}

}  // namespace fxcut::pareto_command
