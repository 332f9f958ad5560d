// From the file's text to the graph.
#include <benchmark/benchmark.h>

#include "bench/micro/passes.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

void parse_json(benchmark::State& state) {
  const std::string& text = graph_after_passes().text;
  for (auto _ : state) benchmark::DoNotOptimize(Document::parse(text, "graph.json"));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(parse_json)->Unit(benchmark::kMillisecond);

void read_graph(benchmark::State& state) {
  const Document& document = *graph_after_passes().document;
  for (auto _ : state) benchmark::DoNotOptimize(read_joint_graph(document));
}
BENCHMARK(read_graph)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace fxcut
