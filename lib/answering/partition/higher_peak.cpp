#include "partition/higher_peak.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "diagnostic/attempt.h"
#include "solve/budget_solvers.h"
#include "system/threads.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr Int128 kPartsOfPeak = 100;  // a rise of less than one part, 1 %, is not worth a warning

struct PeakAndSaved {
  Int128 peak_bytes = 0;
  std::int64_t saved_bytes = 0;
};

PeakAndSaved figures_of(const Report& report) {
  return {report.memory.counted_peak_bytes(), report.totals.held_bytes()};
}

bool limits_memory(const Settings& settings) {
  return settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget < 1;
}

// nullopt if there is no partition without a limit.
std::optional<PeakAndSaved> without_limit(JointGraph joint, Settings settings, const PolicyStack& policies) {
  settings.saved_bytes_limit.reset();
  settings.peak_bytes_limit.reset();
  settings.compress = Compress::None;
  settings.chooses_partitioner = true;  // the one that decides within the limit
  settings.activation_memory_budget = 1;
  settings.activation_memory_budget_solver = {};
  const auto usual = attempt([&] { return partition(std::move(joint), settings, policies); });
  return usual ? std::optional(figures_of(usual->report)) : std::nullopt;
}

}  // namespace

Partition compared_with_no_limit(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                                 const std::function<Partition(JointGraph joint)>& make, const PassDone& done) {
  if (!limits_memory(settings)) return make(std::move(joint));
  JointGraph copy = joint;
  auto [usual, made] = at_once(
      kNodesWorthAThread, [&] { return without_limit(std::move(copy), settings, policies); },
      [&] { return make(std::move(joint)); });
  done("compare with no limit");
  const PeakAndSaved now = figures_of(made.report);
  if (usual && now.saved_bytes < usual->saved_bytes && now.peak_bytes - usual->peak_bytes > usual->peak_bytes / kPartsOfPeak) {
    made.report.warnings.push_back(
        fmt::format("it saves {}, less than the {} without a limit, but its peak is higher, {}: {}, not {}",
                    show_bytes_apart(now.saved_bytes, usual->saved_bytes), show_bytes_apart(usual->saved_bytes, now.saved_bytes),
                    made.report.memory.compiled ? "predicted for compiled code" : "operator by operator",
                    show_bytes_apart(now.peak_bytes, usual->peak_bytes), show_bytes_apart(usual->peak_bytes, now.peak_bytes)));
  }
  return std::move(made);
}

}  // namespace fxcut
