#include "cli/decision_options.h"

#include <fmt/format.h>

#include "cli/input_file.h"
#include "cli/policies.h"
#include "diagnostic/diagnostic.h"
#include "policy/setting_rows.h"
#include "read/read_policy.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace po = boost::program_options;

void DecisionOptions::add_to(po::options_description& options) {
  settings.add_to(options);
  add_limits(options);
  add_policies(options);
}

void DecisionOptions::add_without_limits(po::options_description& options) {
  settings.add_to(options);
  add_policies(options);
}

void DecisionOptions::add_limits(po::options_description& options) {
  options.add_options()
      ("budget-solver", po::value(&budget_solver)->value_name("NAME"),
       "what decides under a memory budget: one of PyTorch's solvers, or frontier, fxcut's own")
      ("saved-bytes", po::value(&saved_bytes)->value_name("SIZE"),
       "save no more than this beyond what lives anyway, such as 12GiB or least, and recompute as little as can be")
      ("peak-bytes", po::value(&peak_bytes)->value_name("SIZE"),
       "have no more than this in use at once beyond the step's inputs, such as 40GiB or least")
      ("time-limit", po::value(&time_limit)->value_name("SECONDS"),
       "when to cut frontier's search short, which else ends by counted work")
      ("gap", po::value(&gap)->value_name("SHARE"),
       "how far above the best frontier's answer may be, such as 0.1% or 0.001");
}

void DecisionOptions::add_policies(po::options_description& options) {
  options.add_options()
      ("policy", po::value(&policy_file)->value_name("FILE"),
       "a stack of policies: what to keep, by name, operator, module or size")
      ("save-names", po::value(&save_names)->value_name("A,B"), "save the values of these checkpoint names")
      ("offload-names", po::value(&offload_names)->value_name("A,B"),
       "keep the values of these names on the host")
      ("recompute-names", po::value(&recompute_names)->value_name("A,B"), "recompute the values of these names")
      ("jax-policy", po::value(&jax_policy)->value_name("NAME[:A,B]"),
       "one of JAX's checkpoint policies, such as dots_saveable or save_only_these_names:q,k")
      ("ignore-tags", po::bool_switch(&ignore_tags), "drop the graph's own recompute tags")
      ("offload-dialect", po::value(&offload_dialect)->value_name("NAME"),
       "aten, ao or xla: how values get to the host")
      ("recompute-barrier", po::bool_switch(&recompute_barrier),
       "keep a compiler from merging recomputed regions with the forward")
      ("sound", po::bool_switch(&sound),
       "save what else it takes to compute what the joint graph does, where PyTorch's decision does not");
}

std::string_view DecisionOptions::first_given() const {
  const std::pair<std::string_view, bool> options[] = {
      {"--config", !settings.config.empty()},
      {"--set", !settings.assignments.empty()},
      {"--device-profile", !settings.device_profile.empty()},
      {"--budget-solver", !budget_solver.empty()},
      {"--saved-bytes", !saved_bytes.empty()},
      {"--peak-bytes", !peak_bytes.empty()},
      {"--time-limit", !time_limit.empty()},
      {"--gap", !gap.empty()},
      {"--policy", !policy_file.empty()},
      {"--save-names", !save_names.empty()},
      {"--offload-names", !offload_names.empty()},
      {"--recompute-names", !recompute_names.empty()},
      {"--jax-policy", !jax_policy.empty()},
      {"--ignore-tags", ignore_tags},
      {"--offload-dialect", !offload_dialect.empty()},
      {"--recompute-barrier", recompute_barrier},
      {"--sound", sound},
  };
  for (const auto& [option, is_given] : options) {
    if (is_given) return option;
  }
  return {};
}

void DecisionOptions::refuse_second_standard_input(const std::string& graph, const std::string& decision) const {
  const int standard_inputs = (graph == "-") + (settings.config == "-") + (policy_file == "-") +
                              (settings.device_profile == "-") + (decision == "-");
  if (standard_inputs > 1) {
    throw Failure(ExitStatus::Usage,
                  "standard input can be one file only: the graph, the settings, the policies, the device or the decision");
  }
}

Settings DecisionOptions::resolve_settings() const {
  Settings resolved = settings.resolve();
  if (ignore_tags) resolved.ignore_tags = true;
  if (recompute_barrier) resolved.recompute_barrier = true;
  if (sound) resolved.sound = Soundness::Always;
  const auto set_by_option = [&](std::string_view option, const std::string& given, std::string_view setting) {
    if (!given.empty()) set_setting(resolved, setting, parse_setting_value(given), fmt::format("{} {}", option, given));
  };
  set_by_option("--offload-dialect", offload_dialect, "offload_dialect");
  if (!saved_bytes.empty() || !peak_bytes.empty()) resolved.activation_memory_budget_solver = frontier_solver();
  set_by_option("--budget-solver", budget_solver, "activation_memory_budget_solver");
  set_by_option("--saved-bytes", saved_bytes, "saved_bytes_limit");
  set_by_option("--peak-bytes", peak_bytes, "peak_bytes_limit");
  set_by_option("--time-limit", time_limit, "budget_time_limit");
  set_by_option("--gap", gap, "budget_gap");
  refuse_contradicting_limits(resolved);
  return resolved;
}

PolicyStack DecisionOptions::resolve_policies() const {
  PolicyStack stack;
  if (!policy_file.empty()) {
    stack = read_policies(*Document::parse(read_text(policy_file), shown_name(policy_file)));
  }
  using enum CheckpointPolicy;
  if (!save_names.empty()) stack.push_back(policy_on_names("--save-names", save_names, MustSave));
  if (!offload_names.empty()) {
    stack.push_back(policy_on_names("--offload-names", offload_names, MustCpuOffload));
  }
  if (!recompute_names.empty()) {
    stack.push_back(policy_on_names("--recompute-names", recompute_names, MustRecompute));
  }
  if (!jax_policy.empty()) stack.push_back(fxcut::jax_policy(jax_policy));
  return stack;
}

}  // namespace fxcut
