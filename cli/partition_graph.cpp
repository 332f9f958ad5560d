#include "cli/partition_graph.h"

#include <fmt/format.h>

#include "cli/named_failure.h"
#include "cli/search_clock.h"
#include "partition/higher_peak.h"
#include "partition/peak_search.h"
#include "report/show_report.h"
#include "write/graph_json.h"

namespace fxcut {

// Failures of the partition have no place yet: they are about the graph.
Partition partition_graph(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                          const std::string& file_name, std::ostream& err, const PassDone& done) {
  try {
    const HaltRequested halt = start_clock_and_note_interrupts(settings, err);
    const auto make = [&](JointGraph given) {
      if (!settings.peak_bytes_limit) return partition(std::move(given), settings, policies, halt, done);
      return partition_within_peak(given, settings, policies, halt, done);
    };
    return compared_with_no_limit(std::move(joint), settings, policies, make, done);
  } catch (const Failure& failure) {
    throw about_file(failure, file_name);
  }
}

DecidedForSizes partition_for_sizes(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies,
                                    LeastFor least_for, const std::string& file_name, std::ostream& err) {
  try {
    DecidedForSizes decided =
        decide_for_sizes(sizes, settings, policies, least_for, start_clock_and_note_interrupts(settings, err));
    const auto made = [&](const JointGraph&) { return std::move(decided.partition); };
    decided.partition = compared_with_no_limit(sizes[decided.at], settings, policies, made);
    return decided;
  } catch (const Failure& failure) {
    throw about_file(failure, file_name);
  }
}

std::vector<OutputFile> files_of(const Partition& partition, const Document& document) {
  const auto graph_file = [&](const Graph& graph, std::string_view side) {
    std::optional<std::size_t> num_forward_outputs;
    if (partition.step && side == "forward") num_forward_outputs = partition.report.num_forward_outputs;
    return OutputFile{fmt::format("{}.json", side), {}, [&, side, num_forward_outputs](const TextSink& sink) {
                        write_graph_json(graph, partition.subgraphs, side, document, sink, num_forward_outputs);
                      }};
  };
  std::vector<OutputFile> files = {
      graph_file(partition.graphs.forward, "forward"),
      graph_file(partition.graphs.backward, "backward"),
      {"report.json", {}, [&](const TextSink& sink) { write_report_json(partition.report, sink); }}};
  if (partition.step) files.push_back(graph_file(*partition.step, "step"));
  return files;
}

}  // namespace fxcut
