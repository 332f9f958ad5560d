// fxcut explain: why values are saved, recomputed, or neither.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>
#include <variant>

#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/hints_option.h"
#include "cli/keep_inputs.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "cli/search_clock.h"
#include "explain/explain.h"
#include "explain/step_kernels.h"
#include "json/json_forms.h"
#include "partition/peak_search.h"
#include "report/policies_json.h"
#include "write/files.h"

namespace fxcut::explain_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut explain GRAPH.json NODE... [--format text|json[=FILE]]... [OPTION...]\n"
    "       fxcut explain GRAPH.json --top N [--format text|json[=FILE]]... [OPTION...]\n"
    "       fxcut explain GRAPH.json --kernels N [--format text|json[=FILE]]... [OPTION...]\n\n"
    "Reads a joint graph (- is standard input), decides as 'fxcut partition' does with the same options, and explains\n"
    "for each node why its value is saved, recomputed, or neither: the rule, its weight compared with the cheapest\n"
    "alternative and to which weight the decision holds, the path through the graph, and the effect of a tag that\n"
    "forces the opposite decision. --top ranks the values by the memory that recomputing them would free,\n"
    "--kernels the step's kernels by the time that they take.\n\n"
    "Example: fxcut explain graph.json mm_4 view_20 --set aggressive_recomputation=true\n\n";

using Answer = std::variant<Explanations, RankedCandidates, StepKernels>;

template <auto explained, auto ranked, auto timed>
std::string shown(const Answer& answer) {
  if (const auto* candidates = std::get_if<RankedCandidates>(&answer)) return ranked(*candidates);
  if (const auto* kernels = std::get_if<StepKernels>(&answer)) return timed(*kernels);
  return explained(std::get<Explanations>(answer));
}

constexpr OutputFormat<std::string (*)(const Answer&)> kFormats[] = {
    {"text", shown<explanation_text, candidates_text, kernels_text>},
    {"json", shown<explanation_json, candidates_json, kernels_json>, kJson}};

struct Request {
  std::string graph;
  std::vector<std::string> nodes;
  DecisionOptions decision;
  HintsOption hints;
  int top = 0, kernels = 0;
  std::string policy_file;
  FormatOptions formats{kFormats};
  bool overwrite = false;
};

// One question at a time: the nodes, --top or --kernels.
void refuse_contradictions(const Request& request, const boost::program_options::variables_map& given) {
  const bool ranks = given.contains("top"), times = given.contains("kernels");
  const auto refuse = [](bool is_wrong, const std::string& why) {
    if (is_wrong) throw Failure(ExitStatus::Usage, why);
  };
  refuse(ranks && request.top < 1, fmt::format("--top {}: expected 1 or more", request.top));
  refuse(times && request.kernels < 1, fmt::format("--kernels {}: expected 1 or more", request.kernels));
  refuse(ranks && times, "--top and --kernels: expected one of them");
  refuse(ranks && !request.nodes.empty(), "--top ranks all values: expected no node");
  refuse(times && !request.nodes.empty(), "--kernels ranks all kernels: expected no node");
  refuse(!ranks && !request.policy_file.empty(), "--write-policy writes what --top finds: expected --top N as well");
  if (ranks || times || !request.nodes.empty()) return;
  throw Failure(ExitStatus::Usage, "expected the names of nodes",
                "'fxcut explain GRAPH.json --top 10' ranks the values with the largest effect");
}

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("explain", kUsage);
  request->decision.add_to(line);
  request->hints.add_to(line, HintsOption::Numbers::One);
  line.add({"top", "N", "the N values that free the most memory for each ms when they are recomputed instead"}, request->top);
  line.add({"write-policy", "FILE", "with --top: write a policy that recomputes the values of the first row, for --policy"},
           request->policy_file);
  line.add({"kernels", "N", "the N kernels on which the step spends the most time, alike ones in one row"}, request->kernels);
  request->formats.add_to(line);
  line.add(kForce, request->overwrite);
  line.add_argument("graph", request->graph);
  line.add_argument("node", request->nodes, -1);
  const auto given = line.parse(arguments, out);
  if (!given) return std::nullopt;
  if (request->graph.empty()) {
    throw Failure(ExitStatus::Usage, "expected a graph", "'fxcut explain GRAPH.json NODE...', or - for standard input");
  }
  line.refuse_empty_values(*given);
  refuse_contradictions(*request, *given);
  request->decision.refuse_second_standard_input(request->graph);
  request->formats.choices();  // throws if they contradict each other
  return request;
}

Answer answer(const ExplainContext& context, const Request& request) {
  if (request.top > 0) return rank_candidates(context, static_cast<std::size_t>(request.top));
  if (request.kernels > 0) return step_kernels(context, static_cast<std::size_t>(request.kernels));
  return explain(context, request.nodes);
}

// The policy file for the first row.
std::string policy_of_first(const ExplainContext& context, const RankedCandidates& ranked) {
  if (!ranked.candidates.empty()) return json_file(policies_json(policy_for(context, ranked.candidates.front())));
  throw Failure(ExitStatus::No, "--write-policy: there is no policy to write",
                "no value frees memory by being recomputed instead");
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  const Settings given = request->decision.resolve_settings_of_one();
  const PolicyStack policies = request->decision.resolve_policies();
  const GraphFile file =
      request->hints.one_of(read_graph_file(request->graph, err, given.torch_version), given.torch_version);
  const std::function<HaltRequested()> clock = [&] { return start_clock(given, err); };
  try {
    std::string policy;
    const Answer found = within_memory(file.name, [&] {
      const Basis basis = basis_of_comparisons(file.joint, given, policies, clock());
      const ExplainContext context{file.joint, basis.settings, policies, clock, basis.decision, given};
      Answer answered = answer(context, *request);
      if (!request->policy_file.empty()) policy = policy_of_first(context, std::get<RankedCandidates>(answered));
      return answered;
    });
    std::vector<OutputDirectory> files;
    if (!request->policy_file.empty()) files.push_back(single_file(request->policy_file, policy, "--write-policy"));
    put_out(shown_in(request->formats, kFormats, found), request->overwrite, out, std::move(files));
  } catch (const Failure& failure) {
    throw about_file(failure, file.name);
  }
  return ExitStatus::Done;
}

}  // namespace fxcut::explain_command
