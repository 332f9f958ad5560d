#include "cli/batch_outcome.h"

#include <fmt/format.h>

#include <numeric>
#include <ostream>

#include "cli/narration.h"
#include "text/printable.h"

namespace fxcut {
namespace {

using State = GraphOutcome::State;

std::string of_these(const BatchCounts& counts) {
  std::string text;
  if (const std::size_t kept = counts.of(State::Kept)) text += fmt::format(", {} of them before", kept);
  if (const std::size_t redone = counts.of(State::Redone)) text += fmt::format(", {} of them again", redone);
  return text;
}

}  // namespace

std::size_t BatchCounts::worked_on() const { return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0}); }

std::string progress_text(const BatchCounts& counts, std::size_t graphs) {
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = graphs == 0 ? kWidth : kWidth * counts.worked_on() / graphs;
  const std::size_t failed = counts.of(State::Failed);
  return fmt::format("fxcut: [{:.<{}}] {} of {} graphs{}", std::string(filled, '#'), kWidth, counts.worked_on(), graphs,
                     failed == 0 ? "" : fmt::format(", {} failed", failed));
}

void put_results(const OutputTree& tree, const std::vector<std::string>& lines, const BatchSummary& summary) {
  tree.put_file("results.jsonl", joined(lines));
  tree.put_file("summary.json", summary.json);
}

ExitStatus print_outcome(const BatchSummary& summary, const BatchCounts& counts, std::ostream& err) {
  print_message(err, fmt::format("fxcut: {} of {} graphs done{}\n", summary.graphs - summary.failed.size(), summary.graphs,
                        of_these(counts)));
  if (summary.failed.empty()) return ExitStatus::Done;
  err << fmt::format("fxcut: {} failed:\n", summary.failed.size());
  for (const FailedGraph& failed : summary.failed) err << fmt::format("  {}\n", printable(failed.name));
  return ExitStatus::No;
}

}  // namespace fxcut
