// From the graph to the values to save. `decide` holds `bans` and `costs`; what it takes beyond them is the flow
// network and its minimum cut. Then what the frontier solver takes.
#include <benchmark/benchmark.h>

#include "bench/micro/passes.h"
#include "cost/bans.h"
#include "cost/estimators.h"
#include "cost/saving.h"
#include "frontier/frontier.h"
#include "frontier/save_within_limit.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"

namespace fxcut {
namespace {

void dead_code(benchmark::State& state) {
  const JointGraph& joint = graph_after_passes().read;
  for (auto _ : state) benchmark::DoNotOptimize(eliminate_dead_code(joint));
}
BENCHMARK(dead_code)->Unit(benchmark::kMillisecond);

void common_subexpressions(benchmark::State& state) {
  const JointGraph& joint = graph_after_passes().live;
  for (auto _ : state) benchmark::DoNotOptimize(merge_common_subexpressions(joint));
}
BENCHMARK(common_subexpressions)->Unit(benchmark::kMillisecond);

void roles_and_distance(benchmark::State& state) {
  const JointGraph& joint = graph_after_passes().decided;
  for (auto _ : state) {
    const Users users(joint.graph);
    const Roles roles = classify(joint, users);
    benchmark::DoNotOptimize(distance_from_backward(joint.graph, users, roles));
  }
}
BENCHMARK(roles_and_distance)->Unit(benchmark::kMillisecond);

void bans(benchmark::State& state) {
  const Analysis analysis = graph_after_passes().analysis();
  for (auto _ : state) benchmark::DoNotOptimize(ban_recomputation(analysis, ban_options(analysis.settings)));
}
BENCHMARK(bans)->Unit(benchmark::kMillisecond);

void costs(benchmark::State& state) {
  const Analysis analysis = graph_after_passes().analysis();
  for (auto _ : state) benchmark::DoNotOptimize(saving_costs(analysis));
}
BENCHMARK(costs)->Unit(benchmark::kMillisecond);

void decide(benchmark::State& state) {
  const Analysis analysis = graph_after_passes().analysis();
  for (auto _ : state) benchmark::DoNotOptimize(choose_saved_values(analysis, 1));
}
BENCHMARK(decide)->Unit(benchmark::kMillisecond);

void whole_frontier(benchmark::State& state) {
  const Analysis analysis = graph_after_passes().analysis();
  const StorageBytes storages = storage_bytes(graph_after_passes().read.graph);
  for (auto _ : state) benchmark::DoNotOptimize(frontier(analysis, storages, estimators().front(), 256));
}
BENCHMARK(whole_frontier)->Unit(benchmark::kMillisecond);

// The first answer within a limit, before branch and bound.
void within_a_limit(benchmark::State& state) {
  const Analysis analysis = graph_after_passes().analysis();
  const StorageBytes storages = storage_bytes(graph_after_passes().read.graph);
  const MemoryLimit limit{false, limit_of_budget(analysis, storages, 0.5)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(save_within_limit(analysis, storages, limit, {.most_parts = 1}));
  }
}
BENCHMARK(within_a_limit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fxcut
