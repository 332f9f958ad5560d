#include "cli/decision_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
#include <optional>

#include "cli/input_file.h"
#include "diagnostic/diagnostic.h"
#include "policy/jax_policies.h"
#include "policy/conflicting_limits.h"
#include "policy/setting_rows.h"
#include "quantize/quantized_dtypes.h"
#include "read/read_measured_errors.h"
#include "read/read_policy.h"
#include "read/read_settings.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "text/comma_list.h"

namespace fxcut {
namespace {

enum class Kind { Assignments, File, FileOfLimit, Setting, Limit, Names, CompressedNames, NodesOfKind, Other };

struct DecisionRow {
  OptionRow option;
  Kind kind;
  std::string_view setting = {};     // that it sets, if it is a Setting or a Limit
  std::string_view flag_means = {};  // for a flag, the setting's value
  CheckpointPolicy policy = {};      // for the names that it lists, or for the nodes
  NodeKind nodes = {};               // for NodesOfKind
};

using enum CheckpointPolicy;

constexpr DecisionRow kRows[] = {
    {{"config", "FILE", "settings as a JSON object"}, Kind::File},
    {{"set", "KEY=VALUE", "one setting, after those of --config; 'fxcut help settings' lists them"}, Kind::Assignments},
    {{"device-profile", "FILE", "a device whose run times are estimated, if it is not one that the setting device_profile names"},
     Kind::File},
    {{"device", "NAME|FILE", "the device of estimated run times, such as h100, or its profile; 'fxcut help settings' lists them"},
     Kind::Setting, "device_profile"},
    {{"budget-solver", "NAME", "the solver for a memory budget: one of PyTorch's, or frontier, fxcut's own"},
     Kind::Limit, "activation_memory_budget_solver"},
    {{"saved-bytes", "SIZE", "the most activations held, such as 12GiB, or least; recomputes as little as possible within it"},
     Kind::Limit, "saved_bytes_limit"},
    {{"peak-bytes", "SIZE", "the highest peak, not counting the step's inputs, such as 40GiB, or least"},
     Kind::Limit, "peak_bytes_limit"},
    {{"recompute-again", "", "within --peak-bytes also recompute a value more than once, if that pays"}, Kind::Limit},
    {{"offload", "NAME", "auto: within these limits also copy values to the host, in place of recomputing them"},
     Kind::Limit, "offload"},
    {{"compress", "NAME", "exact or auto: within a limit also save values in fewer bits, without loss or rounded"},
     Kind::Limit, "compress"},
    {{"compress-classes", "A,B", "with --compress auto: round only what operators of these classes compute, such as attention"},
     Kind::Limit, "compress_classes"},
    {{"compress-error", "SHARE", "with --compress auto: round only what that changes by at most this, such as 0.02, as measured"},
     Kind::Limit, "compress_error"},
    {{"compress-errors", "FILE", "the measured errors of the graph's values, which fxcut.measure_compression writes"},
     Kind::FileOfLimit},
    {{"host-bandwidth", "GB/S", "how fast values are copied to the host, and back, in 2^30 bytes per second"},
     Kind::Limit, "activation_offload_cpu_gpu_bw"},
    {{"host-bytes", "SIZE", "the most memory of the host that --offload auto uses"}, Kind::Limit, "host_bytes_limit"},
    {{"time-limit", "SECONDS", "when to stop the search of frontier, which otherwise ends by counted work"},
     Kind::Limit, "budget_time_limit"},
    {{"gap", "SHARE", "how far above the optimum the answer may be, such as 0.1% or 0.001"}, Kind::Limit, "budget_gap"},
    {{"policy", "FILE", "a stack of policies: rules by name, operator, class, module or size"}, Kind::File},
    {{"save-names", "A,B", "save the values with these checkpoint names"}, Kind::Names, {}, {}, MustSave},
    {{"offload-names", "A,B", "save the values with these names in host memory"}, Kind::Names, {}, {}, MustCpuOffload},
    {{"recompute-names", "A,B", "recompute the values with these names"}, Kind::Names, {}, {}, MustRecompute},
    {{"compress-names", "A,B", "save values with these names, if they are saved, in fewer bits; A,B:DTYPE says in which dtype"},
     Kind::CompressedNames},
    {{"recompute-gathered", "", "gather sharded parameters again in the backward, as FSDP does, and never save them whole"},
     Kind::NodesOfKind, {}, {}, MustRecompute, NodeKind::Gathered},
    {{"jax-policy", "NAME[:A,B]", "one of JAX's checkpoint policies, such as dots_saveable or save_only_these_names:q,k"},
     Kind::Other},
    {{"ignore-tags", "", "ignore the graph's own recompute tags"}, Kind::Setting, "ignore_tags", "true"},
    {{"offload-dialect", "NAME", "aten, ao or xla: how values are copied to the host"}, Kind::Setting, "offload_dialect"},
    {{"recompute-barrier", "", "keep a compiler from merging recomputed regions with the forward"},
     Kind::Setting, "recompute_barrier", "true"},
    {{"sound", "",
      "save more values if the partition would not compute the same values as the joint graph; decide nothing if that is not "
      "enough"},
     Kind::Setting, "sound", "always"},
    {{"memory-of", "NAME",
      "operators; or compiled, the default for graphs that inductor compiles: also predict its code's memory"},
     Kind::Setting, "memory_of"},
};

constexpr bool is_flag(const DecisionRow& row) { return *row.option.value == '\0'; }
constexpr bool is_of_limits(const DecisionRow& row) { return row.kind == Kind::Limit || row.kind == Kind::FileOfLimit; }

std::shared_ptr<const Document> parsed(const std::string& path) { return Document::parse(read_text(path), shown_name(path)); }

void assign(const std::string& assignment, Settings& settings) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw Failure(ExitStatus::Usage, fmt::format("--set '{}': expected KEY=VALUE", assignment),
                  "for example --set recompute_views=true");
  }
  const std::string_view text = assignment;
  const std::string_view name = text.substr(0, equals);
  set_setting(settings, name, parse_setting_value(name, text.substr(equals + 1)), "--set " + assignment);
}

// A rule for each of the comma-separated `names`; `option` is the name of the policy. Throws Failure (Usage) if a name is
// empty.
Policy policy_on_names(const std::string& option, const std::string& names, const RuleOutcome& outcome) {
  RuleList list;
  for (std::string& name : names_at_commas(names, option)) {
    PolicyRule rule;
    rule.match.name = Pattern::glob(std::move(name));
    rule.policy = outcome;
    list.rules.push_back(std::move(rule));
  }
  return {option, std::move(list)};
}

// "q,k", or with a dtype: "q,k:float8_e5m2". Throws Failure (Usage) for a dtype to which nothing is rounded.
Policy policy_on_compressed_names(const std::string& option, const std::string& names) {
  const std::size_t colon = names.rfind(':');
  Compressing compressing;
  if (colon != std::string::npos) {
    const std::string given = names.substr(colon + 1);
    const QuantizedDtype* dtype = find_quantized_dtype(given);
    if (!dtype) {
      throw Failure(ExitStatus::Usage, fmt::format("{} {}: values cannot be rounded to '{}'", option, names, given),
                    "for example float8_e4m3fn or float8_e5m2; a name that has a colon is for a policy file");
    }
    compressing.dtype = find_dtype(dtype->name);
  }
  return policy_on_names(option, names.substr(0, colon), compressing);
}

Policy policy_on_nodes(const std::string& option, NodeKind kind, CheckpointPolicy checkpoint_policy) {
  PolicyRule rule;
  rule.match.kind = kind;
  rule.policy = checkpoint_policy;
  return {option, RuleList{{std::move(rule)}, std::nullopt}};
}

// "dots_saveable", or a name with its list: "save_only_these_names:q,k"; "save_and_offload_only_these_names:q/k" has two. Throws
// Failure (Usage) for an unknown policy, or a list that it does not have.
Policy jax_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  JaxPolicy policy;
  policy.kind = text.substr(0, colon);
  if (colon != std::string::npos) {
    const std::string list = text.substr(colon + 1);
    const std::size_t slash = list.find('/');
    if (slash == std::string::npos) {
      policy.names = names_at_commas(list, "--jax-policy");
    } else {
      policy.save = names_at_commas(list.substr(0, slash), "--jax-policy");
      policy.offload = names_at_commas(list.substr(slash + 1), "--jax-policy");
    }
  }
  if (const auto mistake = mistake_in(policy)) throw Failure(ExitStatus::Usage, fmt::format("--jax-policy: {}", *mistake));
  return {describe(policy), policy};
}

}  // namespace

void DecisionOptions::add_to(CommandLine& line, Limits limits) {
  for (const DecisionRow& row : kRows) {
    std::string& value = values_[row.option.name];
    if (is_of_limits(row) && limits == Limits::No) continue;
    if (row.kind == Kind::Assignments) {
      line.add(row.option, assignments_);
    } else if (is_flag(row)) {
      line.add(row.option, flags_[row.option.name]);
    } else {
      line.add(row.option, value);
    }
  }
}

bool DecisionOptions::is_given(std::string_view option) const {
  const auto flag = flags_.find(option);
  return (flag != flags_.end() && flag->second) || !value_of(option).empty() || (option == "set" && !assignments_.empty());
}

std::string DecisionOptions::first_given() const {
  for (const DecisionRow& row : kRows) {
    if (is_given(row.option.name)) return fmt::format("--{}", row.option.name);
  }
  return {};
}

std::string DecisionOptions::for_shell(Limits limits) const {
  std::string text;
  for (const DecisionRow& row : kRows) {
    if (is_of_limits(row) && limits == Limits::No) continue;
    if (row.kind == Kind::Assignments) {
      for (const std::string& assignment : assignments_) text += " --set " + in_shell(assignment);
    } else if (is_given(row.option.name)) {
      text += fmt::format(" --{}", row.option.name);
      if (!is_flag(row)) text += " " + in_shell(value_of(row.option.name));
    }
  }
  return text;
}

void DecisionOptions::refuse_with_report(const std::string& report) const {
  const std::string option = first_given();
  if (report.empty() || option.empty()) return;
  throw cannot_be_combined("--decision", option, fmt::format("the report has the settings: drop {}, or --decision", option));
}

void DecisionOptions::refuse_second_standard_input(const std::string& graph, const std::string& decision) const {
  std::vector<std::string_view> files = {graph, decision};
  for (const DecisionRow& row : kRows) {
    if (row.kind == Kind::File || row.kind == Kind::FileOfLimit) files.push_back(value_of(row.option.name));
  }
  fxcut::refuse_second_standard_input(files, "the graph, the settings, the policies, the device and the decision");
}

namespace {

// --peak-bytes 30 means 30 GB: no step fits in 30 bytes.
void refuse_without_unit(const DecisionRow& row, std::string_view value) {
  constexpr std::int64_t kFewest = 1000;  // bytes
  if (row.setting != "saved_bytes_limit" && row.setting != "peak_bytes_limit") return;
  const std::optional<MemoryLimit> limit = parse_memory_limit(value);
  const bool has_unit = !value.empty() && std::isalpha(static_cast<unsigned char>(value.back()));
  if (!limit || limit->bytes == 0 || limit->bytes >= kFewest || has_unit) return;
  throw Failure(ExitStatus::Usage, fmt::format("--{} {}: expected a unit", row.option.name, value),
                fmt::format("for example --{0} {1}GB, or {1}GiB; {1} bytes are {1}B", row.option.name, value));
}

// Not the name of a known device.
bool is_file_name(std::string_view device) { return device.ends_with(".json") || device.find('/') != std::string_view::npos; }

}  // namespace

std::string DecisionOptions::device_file() const {
  const std::string& device = value_of("device");
  const std::string& profile = value_of("device-profile");
  if (!is_file_name(device)) return profile;
  if (!profile.empty()) throw cannot_be_combined("--device-profile", "the file of --device", "drop one of them");
  return device;
}

Settings DecisionOptions::resolve_settings() const {
  Settings settings;
  if (is_given("config")) read_settings(parsed(value_of("config"))->root(), settings);
  for (const std::string& assignment : assignments_) assign(assignment, settings);
  if (const std::string file = device_file(); !file.empty()) {
    settings.own_device = std::make_shared<const DeviceProfile>(read_device_profile(*parsed(file)));
  }
  if (is_given("compress-errors")) {
    settings.compress_errors = std::make_shared<const MeasuredErrors>(read_measured_errors(*parsed(value_of("compress-errors"))));
  }
  if (is_given("saved-bytes") || is_given("peak-bytes")) settings.activation_memory_budget_solver = frontier_solver();
  for (const DecisionRow& row : kRows) {
    if (row.setting.empty() || !is_given(row.option.name)) continue;
    if (row.setting == "device_profile" && is_file_name(value_of("device"))) continue;
    const std::string_view value = is_flag(row) ? row.flag_means : std::string_view(value_of(row.option.name));
    refuse_without_unit(row, value);
    set_setting(settings, row.setting, parse_setting_value(row.setting, value), fmt::format("--{} {}", row.option.name, value));
  }
  settings.recompute_again = is_given("recompute-again");
  refuse_conflicting_limits(settings);
  return settings;
}

Settings DecisionOptions::resolve_settings_of_one() const {
  Settings settings = resolve_settings();
  if (settings.host_bytes_limit && settings.offload != Offload::Auto) {
    const std::string_view limit = is_given("host-bytes") ? "--host-bytes" : "host_bytes_limit";
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} is for --offload auto: nothing else chooses values to copy to the host", limit),
                  fmt::format("add --offload auto and --saved-bytes SIZE, or drop {}", limit));
  }
  if (budget_solver_of(settings).is_frontier()) return settings;
  for (const std::string_view option : {"gap", "time-limit"}) {
    if (!is_given(option)) continue;
    throw Failure(ExitStatus::Usage, fmt::format("--{} is for a search of the solver frontier, and none is made", option),
                  fmt::format("limit the activations or the peak: --saved-bytes SIZE, --peak-bytes SIZE; or drop --{}", option));
  }
  return settings;
}

PolicyStack DecisionOptions::resolve_policies() const {
  PolicyStack stack;
  if (is_given("policy")) stack = read_policies(*parsed(value_of("policy")));
  for (const DecisionRow& row : kRows) {
    if (!is_given(row.option.name)) continue;
    const std::string name = fmt::format("--{}", row.option.name);
    if (row.kind == Kind::Names) stack.push_back(policy_on_names(name, value_of(row.option.name), row.policy));
    if (row.kind == Kind::CompressedNames) stack.push_back(policy_on_compressed_names(name, value_of(row.option.name)));
    if (row.kind == Kind::NodesOfKind) stack.push_back(policy_on_nodes(name, row.nodes, row.policy));
  }
  if (is_given("jax-policy")) stack.push_back(jax_policy(value_of("jax-policy")));
  return stack;
}

}  // namespace fxcut
