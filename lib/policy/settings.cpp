#include "policy/settings.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "cost/device_profile.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

template <bool Settings::*Member>
SettingRow flag(std::string_view name, std::string_view meaning) {
  return {name, "true or false", meaning, [](const Settings& s) -> SettingValue { return s.*Member; },
          [](Settings& s, const SettingValue& value) {
            const bool* given = std::get_if<bool>(&value);
            if (given) s.*Member = *given;
            return given != nullptr;
          }};
}

std::optional<double> as_real(const SettingValue& value) {
  if (const double* real = std::get_if<double>(&value)) return *real;
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::nullopt;
}

bool set_budget(Settings& s, const SettingValue& value) {
  const std::optional<double> budget = as_real(value);
  if (!budget || !(*budget >= 0 && *budget <= 1)) return false;
  s.activation_memory_budget = *budget;
  return true;
}

template <std::string Settings::*Member>
bool set_one_of(Settings& s, const SettingValue& value, std::initializer_list<std::string_view> allowed) {
  const std::string* given = std::get_if<std::string>(&value);
  for (const std::string_view name : allowed) {
    if (given && *given == name) {
      s.*Member = *given;
      return true;
    }
  }
  return false;
}

bool set_distance(Settings& s, const SettingValue& value) {
  const std::int64_t* given = std::get_if<std::int64_t>(&value);
  if (given) s.max_dist_from_bw = *given;
  return given != nullptr;
}

bool set_torch_version(Settings& s, const SettingValue& value) {
  // 2.13 is a number to JSON and on the command line.
  const double* number = std::get_if<double>(&value);
  const std::string* text = std::get_if<std::string>(&value);
  const std::string given = number ? fmt::format("{}", *number) : text ? *text : "";
  if (!is_known_torch_version(given)) return false;
  s.torch_version = given;
  return true;
}

bool set_partitioner(Settings& s, const SettingValue& value) {
  const std::string* given = std::get_if<std::string>(&value);
  if (!given || (*given != "min_cut" && *given != "default")) return false;
  s.partitioner = *given == "default" ? Partitioner::Default : Partitioner::MinCut;
  return true;
}

bool set_bandwidth(Settings& s, const SettingValue& value) {
  const std::optional<double> bandwidth = as_real(value);
  if (!bandwidth || !(*bandwidth > 0) || std::isinf(*bandwidth)) return false;
  s.activation_offload_cpu_gpu_bw = *bandwidth;
  return true;
}

constexpr std::array<std::string_view, 3> kDialects = {"aten", "ao", "xla"};

bool set_dialect(Settings& s, const SettingValue& value) {
  const std::string* given = std::get_if<std::string>(&value);
  for (std::size_t i = 0; i < kDialects.size(); ++i) {
    if (!given || *given != kDialects[i]) continue;
    s.offload_dialect = static_cast<OffloadDialect>(i);
    return true;
  }
  return false;
}

template <std::string Settings::*Member>
SettingRow text(std::string_view name, std::string_view expects, std::string_view meaning) {
  return {name, expects, meaning, [](const Settings& s) -> SettingValue { return s.*Member; },
          [](Settings& s, const SettingValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            if (!given || given->empty()) return false;
            s.*Member = *given;
            return true;
          }};
}

bool set_cut_side(Settings& s, const SettingValue& value) {
  const std::string* given = std::get_if<std::string>(&value);
  if (!given || (*given != "nearest_backward" && *given != "nearest_forward")) return false;
  s.cut_side = *given == "nearest_forward" ? CutSide::NearestForward : CutSide::NearestBackward;
  return true;
}

}  // namespace

const std::vector<SettingRow>& setting_rows() {
  static const std::string known_devices = list_device_profiles();
  static const std::vector<SettingRow> rows = {
      {"torch_version", "producer, 2.13 or 2.15", "whose answer is wanted; producer: that of the PyTorch that made the graph",
       [](const Settings& s) -> SettingValue { return s.torch_version; }, set_torch_version},
      {"partitioner", "min_cut or default", "which of PyTorch's partitioners decides",
       [](const Settings& s) -> SettingValue {
         return std::string(s.partitioner == Partitioner::Default ? "default" : "min_cut");
       },
       set_partitioner},
      {"activation_memory_budget", "a number from 0 to 1",
       "1: save what is cheapest to run; 0: save the forward's inputs only",
       [](const Settings& s) -> SettingValue { return s.activation_memory_budget; }, set_budget},
      {"activation_memory_budget_solver", "dp, greedy, ilp or dp_knapsack_sliding_hirschberg",
       "what chooses within a budget between 0 and 1",
       [](const Settings& s) -> SettingValue { return s.activation_memory_budget_solver; },
       [](Settings& s, const SettingValue& v) {
         return set_one_of<&Settings::activation_memory_budget_solver>(
             s, v, {"dp", "greedy", "ilp", "dp_knapsack_sliding_hirschberg"});
       }},
      {"activation_memory_budget_runtime_estimator", "flops or testing",
       "how a budget between 0 and 1 estimates run time",
       [](const Settings& s) -> SettingValue { return s.activation_memory_budget_runtime_estimator; },
       [](Settings& s, const SettingValue& v) {
         return set_one_of<&Settings::activation_memory_budget_runtime_estimator>(s, v, {"flops", "testing"});
       }},
      flag<&Settings::activation_memory_budget_require_full_coverage>(
          "activation_memory_budget_require_full_coverage",
          "since 2.15: refuse a graph whose region with a budget leaves some of the forward out"),
      flag<&Settings::aggressive_recomputation>("aggressive_recomputation",
                                                "lift all bans on recomputing but that on reductions"),
      flag<&Settings::recompute_views>("recompute_views", "never save a view"),
      flag<&Settings::ban_recompute_used_far_apart>("ban_recompute_used_far_apart",
                                                    "ban what fuses with a use far behind an unfusible one"),
      flag<&Settings::ban_recompute_long_fusible_chains>("ban_recompute_long_fusible_chains",
                                                         "ban a node in each fusible chain of over 100 nodes"),
      flag<&Settings::ban_recompute_materialized_backward>("ban_recompute_materialized_backward",
                                                           "ban what the backward has to write to memory anyway"),
      flag<&Settings::ban_recompute_not_in_allowlist>("ban_recompute_not_in_allowlist",
                                                      "ban all operators but those known to be cheap"),
      flag<&Settings::ban_recompute_reductions>("ban_recompute_reductions",
                                                "ban what is 4 times smaller than its inputs"),
      {"max_dist_from_bw", "an integer", "ban what is more than this many nodes away from the backward",
       [](const Settings& s) -> SettingValue { return s.max_dist_from_bw; }, set_distance},
      flag<&Settings::treat_parameters_as_free_to_save>("treat_parameters_as_free_to_save",
                                                        "saving a static lifetime input costs nothing"),
      flag<&Settings::cse>("cse", "merge common subexpressions first"),
      flag<&Settings::is_non_builtin_to_include>("is_non_builtin_to_include",
                                                 "ban custom operators where the allowlist does not"),
      flag<&Settings::unsafe_allow_optimization_of_collectives>("unsafe_allow_optimization_of_collectives",
                                                                "let collectives be recomputed"),
      flag<&Settings::unsafe_treat_script_objects_as_zero_size>("unsafe_treat_script_objects_as_zero_size",
                                                                "count a script object as 0 bytes"),
      flag<&Settings::graphsafe_rng_functionalization>("graphsafe_rng_functionalization",
                                                       "recompute random operators on CUDA in the graph-safe form"),
      flag<&Settings::enable_activation_offloading>("enable_activation_offloading",
                                                    "move saved values to the host that the graph marks should_offload"),
      flag<&Settings::activation_offload_separate_stream>("activation_offload_separate_stream",
                                                          "copy to and from the host beside the computation"),
      flag<&Settings::activation_offload_sink_wait>("activation_offload_sink_wait",
                                                    "on a separate stream: wait for copies at the forward's end"),
      flag<&Settings::activation_reload_prefetch>("activation_reload_prefetch",
                                                  "on a separate stream: copy back early enough to be there in time"),
      {"activation_offload_cpu_gpu_bw", "a number above 0", "GB (2^30 bytes) a second between host and device",
       [](const Settings& s) -> SettingValue { return s.activation_offload_cpu_gpu_bw; }, set_bandwidth},
      {"device_profile", known_devices, "the device whose run times are estimated where the graph has none",
       [](const Settings& s) -> SettingValue { return s.device_profile; },
       [](Settings& s, const SettingValue& v) {
         const std::string* given = std::get_if<std::string>(&v);
         const bool is_known = given && find_device_profile(*given);
         if (is_known) s.device_profile = *given;
         return is_known;
       }},
      text<&Settings::naming_operators>("naming_operators", "operators, separated by commas",
                                        "the operators that give the value they pass on a checkpoint name"),
      flag<&Settings::ignore_tags>("ignore_tags", "drop the graph's own recompute tags"),
      {"offload_dialect", "aten, ao or xla", "how values get to the host: device_put, copies beside the computation, XLA's placement",
       [](const Settings& s) -> SettingValue {
         return std::string(kDialects[static_cast<std::size_t>(s.offload_dialect)]);
       },
       set_dialect},
      flag<&Settings::recompute_barrier>("recompute_barrier",
                                         "put a barrier on the inputs of each recomputed region of the backward"),
      text<&Settings::recompute_barrier_operator>("recompute_barrier_operator", "an operator",
                                                  "the barrier, which takes and returns a list of values"),
      {"cut_side", "nearest_backward or nearest_forward", "which minimum cut to take where several tie",
       [](const Settings& s) -> SettingValue {
         return std::string(s.cut_side == CutSide::NearestForward ? "nearest_forward" : "nearest_backward");
       },
       set_cut_side},
  };
  return rows;
}

namespace {

std::string show(const SettingValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace

void set_setting(Settings& settings, std::string_view name, const SettingValue& value, const std::string& place) {
  std::vector<std::string_view> names;
  for (const SettingRow& row : setting_rows()) {
    if (row.name == name) {
      if (!row.set(settings, value)) {
        throw Failure(ExitStatus::Usage,
                      {{place, fmt::format("setting '{}' is '{}'; expected {}", name, show(value), row.expects), ""}});
      }
      return;
    }
    names.push_back(row.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "'fxcut help settings' lists them";
  throw Failure(ExitStatus::Usage, {{place, fmt::format("unknown setting '{}'", name), hint}});
}

SettingValue parse_setting_value(std::string_view text) {
  if (text == "true" || text == "True") return true;
  if (text == "false" || text == "False") return false;
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto r = std::from_chars(text.data(), end, integer); r.ec == std::errc() && r.ptr == end) return integer;
  double real = 0;
  if (const auto r = std::from_chars(text.data(), end, real); r.ec == std::errc() && r.ptr == end) return real;
  return std::string(text);
}

}  // namespace fxcut
