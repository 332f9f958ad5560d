// fxcut partition: a joint graph in, two graphs and a report out.
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <ostream>

#include "cli/graph_file.h"
#include "cli/named_failure.h"
#include "cli/options.h"
#include "cli/policies.h"
#include "cli/settings_options.h"
#include "pipeline.h"
#include "read/read_policy.h"
#include "read/read_report.h"
#include "report/memory_curve.h"
#include "report/report_json.h"
#include "report/report_table.h"
#include "write/files.h"
#include "write/graph_json.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut partition GRAPH.json [--config FILE] [--set KEY=VALUE]... [--output-dir DIR] [--force] [--json]\n"
    "                       [--policy FILE] [--save-names A,B] [--offload-names A,B] [--recompute-names A,B]\n"
    "                       [--jax-policy NAME[:A,B]] [--ignore-tags] [--offload-dialect NAME] [--recompute-barrier]\n"
    "       fxcut partition GRAPH.json --decision REPORT.json [--output-dir DIR] [--force] [--json]\n\n"
    "Reads a joint graph (- is standard input), decides what the forward saves for the backward, and prints a\n"
    "report. With --output-dir it also writes forward.json, backward.json and report.json there.\n\n";

struct Request {
  std::string graph;
  SettingsOptions settings;
  std::string policy_file;
  std::string save_names, offload_names, recompute_names, jax_policy;
  std::string offload_dialect;
  std::string budget_solver, saved_bytes, time_limit;
  bool ignore_tags = false;
  bool recompute_barrier = false;
  std::string decision;
  std::string output_directory;
  bool overwrite = false;
  bool memory_curve = false;
  bool as_json = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.settings.add_to(options);
  options.add_options()
      ("budget-solver", po::value(&request.budget_solver)->value_name("NAME"),
       "what decides under a memory budget: one of PyTorch's solvers, or frontier, fxcut's own")
      ("saved-bytes", po::value(&request.saved_bytes)->value_name("SIZE"),
       "save no more than this beyond what lives anyway, such as 12GiB or least, and recompute as little as can be")
      ("time-limit", po::value(&request.time_limit)->value_name("SECONDS"),
       "how long frontier looks for something better; 10 unless given")
      ("policy", po::value(&request.policy_file)->value_name("FILE"),
       "a stack of policies: what to keep, by name, operator, module or size")
      ("save-names", po::value(&request.save_names)->value_name("A,B"), "save the values of these checkpoint names")
      ("offload-names", po::value(&request.offload_names)->value_name("A,B"),
       "keep the values of these names on the host")
      ("recompute-names", po::value(&request.recompute_names)->value_name("A,B"), "recompute the values of these names")
      ("jax-policy", po::value(&request.jax_policy)->value_name("NAME[:A,B]"),
       "one of JAX's checkpoint policies, such as dots_saveable or save_only_these_names:q,k")
      ("ignore-tags", po::bool_switch(&request.ignore_tags), "drop the graph's own recompute tags")
      ("offload-dialect", po::value(&request.offload_dialect)->value_name("NAME"),
       "aten, ao or xla: how values get to the host")
      ("recompute-barrier", po::bool_switch(&request.recompute_barrier),
       "keep a compiler from merging recomputed regions with the forward")
      ("decision", po::value(&request.decision)->value_name("REPORT"),
       "replay the decision of this report, under its settings and policies; it must be of this graph")
      ("output-dir", po::value(&request.output_directory)->value_name("DIR"),
       "write forward.json, backward.json and report.json into DIR, which is made if need be")
      ("memory-curve", po::bool_switch(&request.memory_curve),
       "also write memory_curve.csv into that directory: the memory in use at each node")
      ("force", po::bool_switch(&request.overwrite), "replace files that are there already")
      ("json", po::bool_switch(&request.as_json), "print report.json instead of the table")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

// A report has the settings and policies that it was decided by.
void refuse_beside_decision(const Request& request) {
  if (request.decision.empty()) return;
  const std::pair<std::string_view, bool> given[] = {
      {"--config", !request.settings.config.empty()},
      {"--set", !request.settings.assignments.empty()},
      {"--device-profile", !request.settings.device_profile.empty()},
      {"--budget-solver", !request.budget_solver.empty()},
      {"--saved-bytes", !request.saved_bytes.empty()},
      {"--time-limit", !request.time_limit.empty()},
      {"--policy", !request.policy_file.empty()},
      {"--save-names", !request.save_names.empty()},
      {"--offload-names", !request.offload_names.empty()},
      {"--recompute-names", !request.recompute_names.empty()},
      {"--jax-policy", !request.jax_policy.empty()},
      {"--ignore-tags", request.ignore_tags},
      {"--offload-dialect", !request.offload_dialect.empty()},
      {"--recompute-barrier", request.recompute_barrier},
  };
  for (const auto& [option, is_given] : given) {
    if (!is_given) continue;
    throw Failure(ExitStatus::Usage, fmt::format("--decision and {}: the report says how it was decided", option),
                  fmt::format("leave {} out, or decide anew without --decision", option));
  }
}

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  const po::options_description visible = visible_options(request);
  parse_options_on_graph(arguments, visible, request.graph, request.help, "partition");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.memory_curve && request.output_directory.empty()) {
    throw Failure(ExitStatus::Usage, "--memory-curve writes a file: expected --output-dir DIR as well");
  }
  refuse_beside_decision(request);
  const int standard_inputs = (request.graph == "-") + (request.settings.config == "-") + (request.policy_file == "-") +
                              (request.settings.device_profile == "-") + (request.decision == "-");
  if (standard_inputs > 1) {
    throw Failure(ExitStatus::Usage,
                  "standard input can be one file only: the graph, the settings, the policies, the device or the "
                  "decision");
  }
  return request;
}

Settings resolve_settings(const Request& request) {
  Settings settings = request.settings.resolve();
  if (request.ignore_tags) settings.ignore_tags = true;
  if (request.recompute_barrier) settings.recompute_barrier = true;
  const auto set_by_option = [&](std::string_view option, const std::string& given, std::string_view setting) {
    if (!given.empty()) set_setting(settings, setting, parse_setting_value(given), fmt::format("{} {}", option, given));
  };
  set_by_option("--offload-dialect", request.offload_dialect, "offload_dialect");
  if (!request.saved_bytes.empty()) settings.activation_memory_budget_solver = kFrontierSolver;
  set_by_option("--budget-solver", request.budget_solver, "activation_memory_budget_solver");
  set_by_option("--saved-bytes", request.saved_bytes, "saved_bytes_limit");
  set_by_option("--time-limit", request.time_limit, "budget_time_limit");
  if (!settings.saved_bytes_limit.empty() && settings.activation_memory_budget_solver != kFrontierSolver) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("a limit of saved bytes is for the solver frontier, but the solver is {}",
                              settings.activation_memory_budget_solver),
                  "leave the solver out, or the limit");
  }
  return settings;
}

PolicyStack resolve_policies(const Request& request) {
  PolicyStack stack;
  if (!request.policy_file.empty()) {
    stack = read_policies(*Document::parse(read_file(request.policy_file), shown_name(request.policy_file)));
  }
  using enum CheckpointPolicy;
  if (!request.save_names.empty()) stack.push_back(policy_on_names("--save-names", request.save_names, MustSave));
  if (!request.offload_names.empty()) {
    stack.push_back(policy_on_names("--offload-names", request.offload_names, MustCpuOffload));
  }
  if (!request.recompute_names.empty()) {
    stack.push_back(policy_on_names("--recompute-names", request.recompute_names, MustRecompute));
  }
  if (!request.jax_policy.empty()) stack.push_back(jax_policy(request.jax_policy));
  return stack;
}

// The report to replay, where one is given.
std::optional<Report> read_decision(const Request& request) {
  if (request.decision.empty()) return std::nullopt;
  return read_report(*Document::parse(read_file(request.decision), shown_name(request.decision)));
}

// What goes wrong in the replay is the report's.
Partition replay_of(JointGraph joint, const Report& decision, const std::string& file_name) {
  try {
    return replay(std::move(joint), decision);
  } catch (const Failure& failure) {
    throw about_part(failure, file_name);
  }
}

// What goes wrong in the partition itself has no place yet: it is the graph's.
Partition partition_of(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                       const std::string& file_name) {
  try {
    const auto begin = std::chrono::steady_clock::now();
    const auto time_is_up = [&] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >=
             settings.budget_time_limit;
    };
    return partition(std::move(joint), settings, policies, time_is_up);
  } catch (const Failure& failure) {
    throw about_file(failure, file_name);
  }
}

}  // namespace

ExitStatus run_partition(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const std::optional<Report> decision = read_decision(request);
  const Settings settings = decision ? decision->settings : resolve_settings(request);
  const PolicyStack policies = resolve_policies(request);
  GraphFile file = read_graph_file(request.graph, err, settings.torch_version);
  const Partition result = decision ? replay_of(std::move(file.joint), *decision, shown_name(request.decision))
                                    : partition_of(std::move(file.joint), settings, policies, file.name);
  for (const std::string& warning : result.report.warnings) {
    err << fmt::format("fxcut: {}: warning: {}\n", file.name, warning);
  }
  const std::string report = report_json(result.report);
  if (!request.output_directory.empty()) {
    const std::string forward = graph_json(result.graphs.forward, result.subgraphs, "forward", *file.document);
    const std::string backward = graph_json(result.graphs.backward, result.subgraphs, "backward", *file.document);
    const std::string curve = request.memory_curve ? memory_curve_csv(result.memory, result.graphs) : "";
    std::vector<OutputFile> files = {{"forward.json", forward}, {"backward.json", backward}, {"report.json", report}};
    if (request.memory_curve) files.push_back({"memory_curve.csv", curve});
    write_files(request.output_directory, files, request.overwrite);
  }
  out << (request.as_json ? report : report_table(result.report));
  return ExitStatus::Done;
}

}  // namespace fxcut
