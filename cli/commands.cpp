#include "cli/command.h"

namespace fxcut {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"partition", "decide which values the forward saves; write both graphs and a report", partition_command::run},
      {"batch", "partition many graphs, on one machine or several", batch_command::run},
      {"pareto", "trace the least recomputation for each amount of memory", pareto_command::run},
      {"explain", "explain why values are saved, recomputed, or neither", explain_command::run},
      {"policy", "show what a policy file matches in a graph; write a decision as a policy", policy_command::run},
      {"verify", "check that two graphs compute the same as the joint graph", verify_command::run},
      {"show", "show a graph as code, a table, a picture or a summary", show_command::run},
      {"diff", "compare two reports, two graphs, or two batches", diff_command::run},
      {"check", "check reports against limits, in a CI pipeline", check_command::run},
      {"import", "read joint graphs from what PyTorch prints, logs and exports", import_command::run},
      {"memory", "replay what the code that inductor generated allocates and frees", memory_command::run},
      {"pipeline", "run stages on ranks under a pipeline schedule; a decision for each stage", pipeline_command::run},
      {"split-backward", "split a backward: gradients of inputs first, of weights later", split_backward_command::run},
      {"validate", "read graphs and list every mistake in them", validate_command::run},
      {"help", "explain a command or the settings", help_command::run},
      {"version", "print the version", version_command::run},
  };
  return all;
}

}  // namespace fxcut
