// fxcut batch merge: the shards of a batch, joined.
#include <fmt/format.h>

#include <ostream>

#include "batch/shard_files.h"
#include "batch/stop_signals.h"
#include "cli/batch_outcome.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/program_identity.h"
#include "text/printable.h"

namespace fxcut::batch_merge_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut batch merge DIR\n\n"
    "Joins the results of the shards of a batch in DIR into DIR/results.jsonl and DIR/summary.json, which are the same\n"
    "as those of the batch in one run. If shards or results are missing it writes nothing, lists them, and exits with\n"
    "1, as it does if graphs failed.\n\n"
    "Example: fxcut batch merge out\n\n";

ExitStatus print_missing(const JoinedShards& joined, std::ostream& err) {
  const auto list = [&](std::string_view what, const auto& missing, std::size_t all) {
    if (missing.empty()) return;
    err << fmt::format("fxcut: missing {}, {} of {}:\n", what, missing.size(), all);
    for (const auto& one : missing) err << fmt::format("  {}\n", printable(fmt::format("{}", one)));
  };
  list("shards", joined.missing_shards, joined.shards);
  list("graphs", joined.missing_names, joined.lines.size() + joined.missing_names.size());
  err << "  run these shards again with --resume\n";
  return ExitStatus::No;
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  std::string directory;
  CommandLine line("batch", kUsage);
  line.add_argument("directory", directory);
  if (!line.parse(arguments, out)) return ExitStatus::Done;
  if (directory.empty()) throw Failure(ExitStatus::Usage, "expected a directory", "'fxcut batch merge DIR'");
  const JoinedShards joined = join_shards(directory);
  if (!joined.missing_names.empty() || !joined.missing_shards.empty()) return print_missing(joined, err);
  const BatchSummary summary = summarise(joined.lines, directory, kVersion);
  const StopSignals signals;  // what stops it does so once nothing is unfinished
  put_results(OutputTree(directory, "merge", true), joined.lines, summary);
  return print_outcome(summary, {}, err);
}

}  // namespace fxcut::batch_merge_command
