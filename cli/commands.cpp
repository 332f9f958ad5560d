#include <ostream>

#include "cli/command.h"

namespace fxcut {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"partition", "decide which values the forward saves; write both graphs and a report", run_partition},
      {"batch", "partition many graphs, on one machine or several", run_batch},
      {"pareto", "trace the least recomputation for each amount of memory", run_pareto},
      {"explain", "explain why values are saved, recomputed, or neither", run_explain},
      {"verify", "check that two graphs compute the same as the joint graph", run_verify},
      {"show", "show a graph as code, a table, a picture or a summary", run_show},
      {"diff", "compare two reports, two graphs, or two batches", run_diff},
      {"check", "check reports against limits, in a CI pipeline", run_check},
      {"import", "read joint graphs from what PyTorch prints, logs and exports", run_import},
      {"memory", "replay the allocations of the code that inductor generated", run_memory},
      {"validate", "read graphs and list every mistake in them", run_validate},
      {"help", "explain a command or the settings", run_help},
      {"version", "print the version", run_version},
  };
  return all;
}

ExitStatus run_version(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  if (arguments == CommandArguments{"--help"}) {
    out << "usage: fxcut version\n\nPrints the version of fxcut.\n";
    return ExitStatus::Done;
  }
  if (!arguments.empty()) {
    throw Failure(ExitStatus::Usage, "version takes no argument, found '" + arguments.front() + "'");
  }
  out << "fxcut " FXCUT_VERSION "\n";
  return ExitStatus::Done;
}

}  // namespace fxcut
