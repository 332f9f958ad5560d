// fxcut policy: what the rules of a policy file match in a graph.
#include <ostream>

#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "explain/policy_matches.h"
#include "read/read_policy.h"

namespace fxcut::policy_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut policy POLICY.json GRAPH.json [--format text|json[=FILE]]...\n\n"
    "Shows which nodes of a joint graph (- is standard input) the rules of a policy file match, with their number and\n"
    "bytes, without deciding on the graph. 'fxcut help policies' describes such files.\n\n"
    "Example: fxcut policy rules.policy.json graph.json\n\n";

constexpr OutputFormat<std::string (*)(const StackMatches&)> kFormats[] = {{"text", matches_text}, {"json", matches_json, kJson}};

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  std::string policy, graph;
  bool overwrite = false;
  FormatOptions formats{kFormats};
  CommandLine line("policy", kUsage);
  formats.add_to(line);
  line.add(kForce, overwrite);
  line.add_argument("policy", policy);
  line.add_argument("graph", graph);
  if (!line.parse(arguments, out)) return ExitStatus::Done;
  if (graph.empty()) {
    throw Failure(ExitStatus::Usage, "expected a policy file and a graph", "'fxcut policy POLICY.json GRAPH.json'");
  }
  refuse_second_standard_input({policy, graph}, "the policies and the graph");
  formats.choices();  // throws where they contradict each other
  const PolicyStack stack = read_policies(*read_input_file(policy).document);
  const GraphFile file = read_graph_file(graph, err);
  const StackMatches matches = within_memory(file.name, [&] { return match_stack(file.joint, stack, {}); });
  warn_of_all(err, file.name, matches.warnings);
  print_formats(formats, kFormats, overwrite, out, matches);
  return ExitStatus::Done;
}

}  // namespace fxcut::policy_command
