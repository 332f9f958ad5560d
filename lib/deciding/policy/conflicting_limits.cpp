#include "policy/conflicting_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "policy/quantization_rows.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

void refuse_recomputing_again(const Settings& settings) {
  if (!settings.peak_bytes_limit) {
    throw Failure(ExitStatus::Usage, "--recompute-again is for a limit of the peak: it lowers nothing else",
                  "add --peak-bytes SIZE, or --peak-bytes least");
  }
  if (settings.offload == Offload::Auto) {
    throw Failure(ExitStatus::Usage, "--recompute-again cannot be combined with offload=auto", "remove one of the two");
  }
  if (settings.recompute_barrier) {
    throw Failure(
        ExitStatus::Usage,
        "--recompute-again cannot be combined with recompute barriers, which do not tell one run of a call from the next",
        "remove one of the two");
  }
}

// The option in use that cannot be combined with forms of fewer bits; empty if there is none.
std::string_view other_than_forms(const Settings& settings) {
  if (settings.recompute_again) return "--recompute-again";
  if (budget_solver_of(settings).is_frontier() && estimator_of_frontier(settings).shown_unit != "ms") {
    return "an estimator that estimates other than run times";
  }
  return settings.activation_quantization.is_on ? kActivationQuantization : "";
}

void refuse_compressing(const Settings& settings) {
  const std::string_view other = other_than_forms(settings);
  if (!other.empty()) {
    throw Failure(ExitStatus::Usage, fmt::format("compress cannot be combined with {}", other), "remove one of the two");
  }
  if (!settings.saved_bytes_limit && !settings.peak_bytes_limit) {
    throw Failure(ExitStatus::Usage, "compress is for a limit of memory: without one nothing has to be smaller",
                  "limit the activations or the peak: --saved-bytes SIZE, --peak-bytes SIZE");
  }
}

// Refuses limits of rounding where nothing is chosen to be rounded.
void refuse_limits_of_rounding(const Settings& settings) {
  const std::string_view limit = settings.compress_error                ? "compress_error"
                                 : !settings.compress_classes.empty() ? "compress_classes"
                                                                      : "";
  if (!limit.empty() && settings.compress != Compress::Auto) {
    throw Failure(ExitStatus::Usage, fmt::format("{} is for compress=auto: nothing else chooses values to round", limit),
                  "add --compress auto and --saved-bytes SIZE");
  }
  if (settings.compress_error.has_value() == (settings.compress_errors != nullptr)) return;
  throw Failure(ExitStatus::Usage,
                settings.compress_error ? "compress_error: expected measured errors as well"
                                        : "--compress-errors: expected the largest error that is allowed as well",
                settings.compress_error ? "--compress-errors FILE, which fxcut.measure_compression writes"
                                        : "--compress-error SHARE, such as 0.02");
}

}  // namespace

void refuse_conflicting_forms(const Settings& settings, const PolicyStack& policies) {
  const auto asking = std::ranges::find_if(policies, [](const Policy& policy) { return asks_for_forms(policy); });
  const std::string_view other = other_than_forms(settings);
  if (asking == policies.end() || other.empty()) return;
  throw Failure(ExitStatus::Usage,
                fmt::format("policy '{}' has values saved in fewer bits ({}), which cannot be combined with {}", asking->name,
                            kCompressPolicy, other),
                "remove one of the two");
}

void refuse_conflicting_limits(const Settings& settings) {
  const bool limits_saved = settings.saved_bytes_limit.has_value(), limits_peak = settings.peak_bytes_limit.has_value();
  if ((limits_saved || limits_peak) && !budget_solver_of(settings).is_frontier()) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("a limit of {} is for the solver frontier, but the solver is {}",
                              limits_saved ? "saved bytes" : "the peak", budget_solver_of(settings).name),
                  "set activation_memory_budget_solver=frontier, as --saved-bytes and --peak-bytes do, or remove the limit");
  }
  if (limits_saved && limits_peak) {
    throw Failure(ExitStatus::Usage, "a limit on saved bytes and a limit on the peak cannot be combined",
                  "the peak counts saved values and all other memory in use");
  }
  if (settings.recompute_again) refuse_recomputing_again(settings);
  if (settings.activation_quantization.is_on && (limits_peak || settings.offload == Offload::Auto)) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} cannot be combined with {}, whose solver does not know what is quantized",
                              kActivationQuantization, limits_peak ? "a limit on the peak" : "offload=auto"),
                  "limit the saved bytes, which count in their own dtypes, or remove one of the two");
  }
  if (settings.compress != Compress::None) refuse_compressing(settings);
  refuse_limits_of_rounding(settings);
  if (settings.offload != Offload::Auto) return;
  if (!budget_solver_of(settings).is_frontier()) {
    throw Failure(ExitStatus::Usage,
                  fmt::format("offload=auto is for the solver frontier, but the solver is {}", budget_solver_of(settings).name),
                  "limit the activations on the device: --saved-bytes SIZE");
  }
}

}  // namespace fxcut
