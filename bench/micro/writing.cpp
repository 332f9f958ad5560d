// From the decision to the texts that are written.
#include <benchmark/benchmark.h>

#include "bench/micro/passes.h"
#include "extract/forward_backward.h"
#include "finish/execution_order.h"
#include "partition/partition.h"
#include "report/show_report.h"
#include "write/graph_json.h"

namespace fxcut {
namespace {

const Partition& partitioned() {
  static const Partition result = partition(graph_after_passes().read, graph_after_passes().settings);
  return result;
}

void extract(benchmark::State& state) {
  const GraphAfterPasses& s = graph_after_passes();
  for (auto _ : state) {
    const ForwardBackward sides = plan_forward_backward(s.decided, s.users, s.roles, s.choice.saved);
    benchmark::DoNotOptimize(extract_graph(s.decided, sides.forward));
    benchmark::DoNotOptimize(extract_graph(s.decided, sides.backward));
  }
}
BENCHMARK(extract)->Unit(benchmark::kMillisecond);

void finish_backward(benchmark::State& state) {
  const GraphAfterPasses& s = graph_after_passes();
  const ForwardBackward sides = plan_forward_backward(s.decided, s.users, s.roles, s.choice.saved);
  const Graph backward = extract_graph(s.decided, sides.backward);
  for (auto _ : state) benchmark::DoNotOptimize(raise_getitems(order_like_autograd(backward)));
}
BENCHMARK(finish_backward)->Unit(benchmark::kMillisecond);

void write_graphs(benchmark::State& state) {
  const Partition& result = partitioned();
  std::size_t bytes = 0;
  for (auto _ : state) {
    bytes += graph_json(result.graphs.forward, result.subgraphs, "forward", *graph_after_passes().document).size();
    bytes += graph_json(result.graphs.backward, result.subgraphs, "backward", *graph_after_passes().document).size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(write_graphs)->Unit(benchmark::kMillisecond);

void write_report(benchmark::State& state) {
  const Report& report = partitioned().report;
  for (auto _ : state) {
    benchmark::DoNotOptimize(report_json(report));
    benchmark::DoNotOptimize(report_table(report));
  }
}
BENCHMARK(write_report)->Unit(benchmark::kMillisecond);

// All passes between reading and writing.
void whole_partition(benchmark::State& state) {
  const GraphAfterPasses& s = graph_after_passes();
  for (auto _ : state) benchmark::DoNotOptimize(partition(s.read, s.settings));
}
BENCHMARK(whole_partition)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fxcut
