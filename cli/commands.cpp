#include <ostream>

#include "cli/command.h"

namespace fxcut {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"partition", "decide what the forward saves; write both graphs and a report", run_partition},
      {"batch", "partition many graphs, on one machine or several", run_batch},
      {"pareto", "trace how much has to be recomputed for each amount of memory", run_pareto},
      {"explain", "tell why values are saved, recomputed, or neither", run_explain},
      {"verify", "check that two graphs compute what the joint graph computes", run_verify},
      {"show", "print a graph as code or a table, draw it, or sum it up", run_show},
      {"diff", "compare two reports, two graphs, or two batches", run_diff},
      {"check", "hold reports against limits, for a CI pipeline", run_check},
      {"import", "make joint graphs of what PyTorch prints and logs", run_import},
      {"memory", "replay what the code that inductor generated allocates and frees", run_memory},
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
