#include "random_partition.h"

#include <algorithm>
#include <random>

#include "partition/peak_search.h"
#include "random_joint_graph.h"
#include "solve/budget_solvers.h"

namespace fxcut {

std::string random_text(std::uint32_t seed) {
  return random_joint_graph(seed, {.primals = 2 + static_cast<int>(seed % 5),
                                   .forward_calls = 10 + static_cast<int>(seed % 40),
                                   .release = seed % 2 == 0 ? Release{13} : Release{15}});
}

Settings random_settings(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto one_in = [&](std::uint32_t n) { return random() % n == 0; };
  Settings settings;
  settings.cut_side = one_in(2) ? CutSide::NearestForward : CutSide::NearestBackward;
  settings.aggressive_recomputation = one_in(3);
  settings.recompute_views = one_in(5);
  settings.treat_parameters_as_free_to_save = !one_in(7);
  settings.partitioner = one_in(3) ? Partitioner::Default : Partitioner::MinCut;
  settings.enable_activation_offloading = !one_in(3);
  settings.activation_offload_separate_stream = one_in(2);
  settings.activation_offload_sink_wait = one_in(2);
  settings.activation_reload_prefetch = one_in(2);
  if (one_in(2)) {
    settings.activation_memory_budget_solver = frontier_solver();
    settings.activation_memory_budget = 0.25 * static_cast<double>(random() % 4);
    settings.saved_bytes_limit = parse_memory_limit(one_in(3) ? "least" : "");
    settings.budget_search_parts = 20;
  }
  return settings;
}

std::optional<Partition> partition_if_any(const JointGraph& joint, const Settings& settings) {
  try {
    return settings.peak_bytes_limit ? partition_within_peak(joint, settings) : partition(joint, settings);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    return std::nullopt;
  }
}

bool draws_again(const Verification& found) {
  return std::any_of(found.mismatches.begin(), found.mismatches.end(),
                     [](const Mismatch& mismatch) { return mismatch.where.starts_with("draw: "); });
}

}  // namespace fxcut
