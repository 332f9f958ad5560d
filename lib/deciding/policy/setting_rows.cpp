#include "policy/setting_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "policy/operator_classes.h"
#include "policy/quantization_rows.h"
#include "quantize/quantized_dtypes.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "text/comma_list.h"

namespace fxcut {
namespace {

// The value as a T, if it is one; an integer is a real number, too.
template <typename T>
std::optional<T> as(const SettingValue& value) {
  if (const T* given = std::get_if<T>(&value)) return *given;
  if constexpr (std::is_same_v<T, double>) {
    if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  }
  return std::nullopt;
}

constexpr auto kAny = [](const auto&) { return true; };
constexpr auto kShare = [](double share) { return share >= 0 && share <= 1; };
constexpr auto kAboveZero = [](double number) { return number > 0 && !std::isinf(number); };

// A setting of its member's type, of which `kAccepts` tests the values.
template <auto Member, auto kAccepts = kAny>
SettingRow row(std::string_view name, std::string expects, std::string_view meaning) {
  using T = std::remove_cvref_t<decltype(std::declval<Settings>().*Member)>;
  return {name, std::move(expects), meaning, [](const Settings& s) -> SettingValue { return s.*Member; },
          [](Settings& s, const SettingValue& value) {
            const std::optional<T> given = as<T>(value);
            if (!given || !kAccepts(*given)) return false;
            s.*Member = *given;
            return true;
          }};
}

template <bool Settings::*Member>
SettingRow flag(std::string_view name, std::string_view meaning) {
  return row<Member>(name, "true or false", meaning);
}

template <std::int64_t Settings::*Member>
SettingRow count(std::string_view name, std::string_view meaning) {
  return row<Member, [](std::int64_t number) { return number >= 0; }>(name, "an integer, at least 0", meaning);
}

template <std::string Settings::*Member>
SettingRow text(std::string_view name, std::string expects, std::string_view meaning) {
  return row<Member, [](const std::string& given) { return !given.empty(); }>(name, std::move(expects), meaning);
}

// "a, b or c".
std::string alternatives(const std::vector<std::string_view>& words) {
  return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

// A setting that names a row of `kTable`.
template <auto Member, const auto& kTable>
SettingRow row_of(std::string_view name, std::string_view meaning) {
  std::vector<std::string_view> known;
  for (const auto& row : kTable()) known.push_back(row.name);
  return {name, alternatives(known), meaning,
          [](const Settings& s) -> SettingValue { return std::string((s.*Member).in(kTable()).name); },
          [](Settings& s, const SettingValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            const auto row = given ? find_row(kTable(), *given) : std::nullopt;
            if (row) s.*Member = *row;
            return row.has_value();
          },
          known};
}

// The same where the word `kNone` says that it depends on something else.
template <auto Member, const auto& kTable, const auto& kNone>
SettingRow row_or(std::string_view name, std::string_view meaning) {
  std::vector<std::string_view> known = {kNone};
  for (const auto& row : kTable()) known.push_back(row.name);
  return {name, alternatives(known), meaning,
          [](const Settings& s) -> SettingValue {
            return std::string((s.*Member) ? std::string_view((s.*Member)->in(kTable()).name) : kNone);
          },
          [](Settings& s, const SettingValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            const auto row = given ? find_row(kTable(), *given) : std::nullopt;
            const bool is_none = given && *given == kNone;
            if (row || is_none) s.*Member = row;
            return row || is_none;
          },
          known};
}

constexpr std::string_view kBySolver = "by_solver", kOfGraph = "of_graph";

// The words of settings that are enums, in the enums' order.
constexpr std::string_view kPartitioners[] = {"min_cut", "default", "tags"};
constexpr std::string_view kCutSides[] = {"nearest_backward", "nearest_forward"};
constexpr std::string_view kDialects[] = {"aten", "ao", "xla"};
constexpr std::string_view kSoundness[] = {"own", "always", "never"};
constexpr std::string_view kOffloads[] = {"marked", "auto"};
constexpr std::string_view kCompress[] = {"none", "exact", "auto"};
constexpr auto kIsQuantized = [](const std::string& name) { return find_quantized_dtype(name) != nullptr; };
// Names of classes of operators, separated by commas; none: all values.
constexpr auto kAreClasses = [](const std::string& list) {
  const std::vector<std::string> names = list.empty() ? std::vector<std::string>() : split_at_commas(list);
  return std::ranges::all_of(names, [](const std::string& name) {
    return std::ranges::find(kOperatorClasses, name, [](const auto& row) { return row.first; }) != kOperatorClasses.end();
  });
};
constexpr std::string_view kMemoryOf[] = {"of_graph", "operators", "compiled"};

template <typename Enum>
Enum chosen(Enum value) {
  return value;
}
template <typename Enum>
Enum chosen(const std::optional<Enum>& value) {
  return value.value_or(Enum{});
}

// A setting that is an enum, whose values are named by these words; the first one if it has none.
template <auto Member, const auto& kWords>
SettingRow one_of(std::string_view name, std::string_view meaning) {
  using Enum = decltype(chosen(std::declval<Settings>().*Member));
  const std::vector<std::string_view> known(std::begin(kWords), std::end(kWords));
  return {name, alternatives(known), meaning,
          [](const Settings& s) -> SettingValue { return std::string(kWords[static_cast<std::size_t>(chosen(s.*Member))]); },
          [](Settings& s, const SettingValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            const auto word = given ? std::ranges::find(kWords, *given) : std::end(kWords);
            if (word == std::end(kWords)) return false;
            s.*Member = static_cast<Enum>(word - std::begin(kWords));
            if constexpr (std::is_same_v<Enum, Partitioner>) s.chooses_partitioner = true;
            return true;
          },
          known};
}

// A setting that is a size of memory, or empty.
template <std::optional<MemoryLimit> Settings::*Member>
SettingRow memory_limit(std::string_view name, std::string_view meaning) {
  return {name, "a size such as 12GiB, or least", meaning,
          [](const Settings& s) -> SettingValue { return (s.*Member) ? (s.*Member)->text : ""; },
          [](Settings& s, const SettingValue& value) {
            const std::optional<double> number = as<double>(value);
            const std::string* text = std::get_if<std::string>(&value);
            const std::string given = text ? *text : number ? fmt::format("{:.0f}", *number) : "?";
            const std::optional<MemoryLimit> limit = parse_memory_limit(given);
            if (limit || given.empty()) s.*Member = limit;
            return limit || given.empty();
          }};
}

// JSON, and so a report, has no infinity.
bool is_finite_amount(std::optional<double> number) { return number && *number >= 0 && !std::isinf(*number); }

constexpr std::string_view kNone = "none";

SettingValue time_limit(const Settings& s) {
  if (s.budget_time_limit) return *s.budget_time_limit;
  return std::string(kNone);
}

bool set_time_limit(Settings& s, const SettingValue& value) {
  const std::string* word = std::get_if<std::string>(&value);
  const bool is_none = word && *word == kNone;
  const std::optional<double> seconds = as<double>(value);
  if (!is_none && !is_finite_amount(seconds)) return false;
  s.budget_time_limit = seconds;
  return true;
}

// A number, or "0.1%".
std::optional<double> as_share(const SettingValue& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (!text || !text->ends_with('%')) return as<double>(value);
  double percent = 0;
  const char* end = text->data() + text->size() - 1;
  const auto [parsed, error] = std::from_chars(text->data(), end, percent);
  if (parsed != end || error != std::errc()) return std::nullopt;
  return percent / 100;
}

bool set_gap(Settings& s, const SettingValue& value) {
  const std::optional<double> share = as_share(value);
  const bool is_part = is_finite_amount(share) && *share <= 1;
  if (is_part) s.budget_gap = *share;
  return is_part;
}

SettingValue compress_error(const Settings& s) {
  if (s.compress_error) return *s.compress_error;
  return std::string(kNone);
}

bool set_compress_error(Settings& s, const SettingValue& value) {
  const std::string* word = std::get_if<std::string>(&value);
  const bool is_none = word && *word == kNone;
  const std::optional<double> share = is_none ? std::nullopt : as_share(value);
  if (!is_none && !is_finite_amount(share)) return false;
  s.compress_error = share;
  return true;
}

std::string known_torch_versions() {
  return fmt::format("producer, or a release from {} to {}, in JSON as text", known_releases().front().version(),
                     known_releases().back().version());
}

bool set_torch_version(Settings& s, const SettingValue& value) {
  // In JSON 2.13 is a number, and so is 2.10, but that one is 2.1.
  const double* number = std::get_if<double>(&value);
  const std::string* text = std::get_if<std::string>(&value);
  const std::string given = number ? fmt::format("{}", *number) : text ? *text : "";
  if (!is_known_torch_version(given)) return false;
  s.torch_version = given;
  return true;
}

}  // namespace

// A row whose name is the member's.
#define SETTING(kind, member, ...) kind<&Settings::member>(#member, __VA_ARGS__)

namespace {

SettingRow where(bool (*matters)(const Settings&), SettingRow row) {
  row.matters = matters;
  return row;
}

bool compresses(const Settings& s) { return s.compress != Compress::None; }

// Policies may round without `compress`.
bool may_round(const Settings& s) { return compresses(s) || s.compress_dtype != Settings().compress_dtype; }

SettingRow of_classes(SettingRow row) {
  for (const auto& [name, operators] : kOperatorClasses) row.known.push_back(name);
  return row;
}

std::vector<SettingRow> with_quantization(std::vector<SettingRow> rows) {
  std::ranges::copy(quantization_rows(), std::back_inserter(rows));
  return rows;
}

}  // namespace

const std::vector<SettingRow>& setting_rows() {
  static const std::vector<SettingRow> rows = with_quantization({
      {"torch_version", known_torch_versions(), "the release of PyTorch to decide as; producer: the one that produced the graph",
       [](const Settings& s) -> SettingValue { return s.torch_version; }, set_torch_version},
      one_of<&Settings::partitioner, kPartitioners>("partitioner",
                                                    "which of PyTorch's partitioners decides; tags: its pass over whole steps"),
      row<&Settings::activation_memory_budget, kShare>(
          "activation_memory_budget", "a number from 0 to 1",
          "1: the decision that is cheapest to run; 0: save only the forward's inputs; between: a share of the memory between"),
      row_of<&Settings::activation_memory_budget_solver, budget_solvers>("activation_memory_budget_solver",
                                                                         "the solver for a budget between 0 and 1"),
      row_or<&Settings::activation_memory_budget_runtime_estimator, estimators, kBySolver>(
          "activation_memory_budget_runtime_estimator",
          "how recomputation is priced: FLOPs, 1 for each operator, a roofline of fused kernels, the graph's runtime_ms; "
          "by_solver: roofline for frontier, flops for PyTorch's"),
      SETTING(memory_limit, saved_bytes_limit, "frontier: the most activations held; empty: as the memory budget says"),
      SETTING(memory_limit, peak_bytes_limit, "frontier: the highest peak, not counting parameters and other inputs"),
      one_of<&Settings::offload, kOffloads>(
          "offload",
          "auto: frontier also copies values to the host in place of recomputing them, where copies hide behind computation"),
      where(
          compresses,
          one_of<&Settings::compress, kCompress>(
              "compress",
              "frontier: which values may also be saved in fewer bits: exact: booleans and positions, which lose nothing by it; "
              "auto: also floating-point numbers, rounded")),
      where(may_round, row<&Settings::compress_dtype, kIsQuantized>(
                           "compress_dtype", "a dtype such as torch.float8_e4m3fn",
                           "compress=auto, COMPRESS of policies: the dtype to which each row is scaled and rounded")),
      where([](const Settings& s) { return !s.compress_classes.empty(); },
            of_classes(row<&Settings::compress_classes, kAreClasses>(
                "compress_classes", "classes of operators, separated by commas, such as attention,matmul",
                "compress=auto: whose values may be rounded; empty: of all operators"))),
      where([](const Settings& s) { return s.compress_error.has_value(); },
            {"compress_error", "a share such as 0.02 or 2%, or none",
             "compress=auto: the most by which rounding was measured to change a value that may be rounded", compress_error,
             set_compress_error}),
      SETTING(memory_limit, host_bytes_limit, "offload=auto: the most bytes in host memory; empty: no limit"),
      {"budget_time_limit", "seconds, at least 0, or none",
       "frontier: the most time to search; the result then depends on the machine", time_limit, set_time_limit},
      SETTING(count, budget_search_steps,
              "frontier: the most work to search, the same on every machine; 0: by the size of the graph"),
      SETTING(count, budget_search_parts, "frontier: the most parts of the search; 0: no limit"),
      {"budget_gap", "a share from 0 to 1 such as 0.001 or 0.1%",
       "frontier: how far above the optimum a result may be, as a share of it",
       [](const Settings& s) -> SettingValue { return s.budget_gap; }, set_gap},
      SETTING(flag, ban_recompute_products, "frontier: recompute no matrix product, convolution or attention"),
      SETTING(flag, activation_memory_budget_require_full_coverage,
              "since 2.15: refuse a graph whose region with a budget leaves some of the forward out"),
      SETTING(flag, aggressive_recomputation, "lift all bans on recomputing except that on reductions"),
      SETTING(flag, recompute_views, "never save a view"),
      SETTING(flag, ban_recompute_used_far_apart, "ban values that fuse with a user far after an unfusible one"),
      SETTING(flag, ban_recompute_long_fusible_chains, "ban a node in each fusible chain of over 100 nodes"),
      SETTING(flag, ban_recompute_materialized_backward, "ban values that the backward writes to memory in any case"),
      SETTING(flag, ban_recompute_not_in_allowlist, "ban all operators except those known to be cheap"),
      SETTING(flag, ban_recompute_reductions, "ban values 4 times smaller than their inputs"),
      SETTING(row, max_dist_from_bw, "an integer", "ban values more than this many nodes away from the backward"),
      SETTING(flag, treat_parameters_as_free_to_save, "saving a static lifetime input costs nothing"),
      SETTING(flag, cse, "merge common subexpressions first"),
      SETTING(flag, is_non_builtin_to_include, "ban custom operators where the allowlist does not"),
      SETTING(flag, unsafe_allow_optimization_of_collectives, "allow recomputing collectives"),
      SETTING(flag, unsafe_treat_script_objects_as_zero_size, "count a script object as 0 bytes"),
      SETTING(flag, graphsafe_rng_functionalization, "recompute random operators on CUDA in the graph-safe form"),
      SETTING(flag, enable_activation_offloading, "offload the saved values that the graph marks should_offload"),
      SETTING(flag, activation_offload_separate_stream, "copy to and from the host in parallel to the computation"),
      SETTING(flag, activation_offload_sink_wait, "on a separate stream: wait for copies at the forward's end"),
      SETTING(flag, activation_reload_prefetch, "on a separate stream: copy back early enough to be there in time"),
      row<&Settings::activation_offload_cpu_gpu_bw, kAboveZero>("activation_offload_cpu_gpu_bw", "a number above 0",
                                                                "GB (2^30 bytes) a second between host and device"),
      row_or<&Settings::device_profile, device_profiles, kOfGraph>(
          "device_profile",
          "the device whose run times are estimated; of_graph: one of the kind on which the graph's values are"),
      SETTING(text, naming_operators, "operators, separated by commas",
              "the operators that return a value with a checkpoint name"),
      SETTING(flag, ignore_tags, "drop the graph's own recompute tags"),
      one_of<&Settings::offload_dialect, kDialects>(
          "offload_dialect", "how values are copied to the host: device_put, copies on a separate stream, XLA's placement"),
      SETTING(flag, recompute_barrier, "put a barrier on the inputs of each recomputed region of the backward"),
      SETTING(text, recompute_barrier_operator, "an operator", "the barrier, which takes and returns a list of values"),
      one_of<&Settings::cut_side, kCutSides>("cut_side", "which of several minimum cuts decides"),
      one_of<&Settings::sound, kSoundness>(
          "sound", "which decisions to repair where they are not sound: the frontier solver's, all, none"),
      one_of<&Settings::memory_of, kMemoryOf>(
          "memory_of",
          "whose memory to report: of the operators, which no compiler fuses; or also, predicted, of the code that inductor "
          "generates; of_graph: the latter if its compiler is inductor, else of operators that some compiler fuses"),
      one_of<&Settings::float32_matmul_precision, kMatmulPrecisions>(
          "float32_matmul_precision",
          "of estimated times: whether products of float32 may use TF32 ('high', 'medium'); if it is not set, as the graph "
          "says, else not"),
  });
  return rows;
}
#undef SETTING

namespace {

std::string show(const SettingValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

}  // namespace

const SettingRow* find_setting(std::string_view name) {
  const auto found = std::ranges::find(setting_rows(), name, &SettingRow::name);
  return found == setting_rows().end() ? nullptr : &*found;
}

void set_setting(Settings& settings, std::string_view name, const SettingValue& value, const std::string& place) {
  if (const SettingRow* row = find_setting(name)) {
    if (row->set(settings, value)) return;
    throw Failure(ExitStatus::Usage, {{place, fmt::format("setting '{}' is '{}'; expected {}", name, show(value), row->expects),
                                       did_you_mean(show(value), row->known)}});
  }
  std::vector<std::string_view> names;
  for (const SettingRow& row : setting_rows()) names.push_back(row.name);
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = "'fxcut help settings' lists them";
  throw Failure(ExitStatus::Usage, {{place, fmt::format("unknown setting '{}'", name), hint}});
}

SettingValue parse_setting_value(std::string_view name, std::string_view text) {
  if (name == "torch_version") return std::string(text);  // 2.10 is not the number 2.1
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
