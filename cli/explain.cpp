// fxcut explain: why values are saved, recomputed, or neither.
#include <ostream>

#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/options.h"
#include "cli/search_clock.h"
#include "explain/explain.h"
#include "explain/explanation_json.h"
#include "explain/explanation_text.h"
#include "explain/top.h"
#include "pipeline/peak_search.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut explain GRAPH.json NODE... [--json] [OPTION...]\n"
    "       fxcut explain GRAPH.json --top N [--json] [OPTION...]\n\n"
    "Reads a joint graph (- is standard input), decides as 'fxcut partition' does with the same options, and tells of\n"
    "each node why its value is saved, recomputed, or neither: the rule, what it weighs beside the cheapest\n"
    "alternative and up to which weight that holds, the way through the graph that leads to it, and what would change\n"
    "if a tag forced it the other way. --top ranks the values by the memory that recomputing them would free.\n\n"
    "Example: fxcut explain graph.json mm_4 view_20 --set aggressive_recomputation=true\n\n";

struct Request {
  std::string graph;
  std::vector<std::string> nodes;
  DecisionOptions decision;
  int top = 0;
  bool as_json = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.decision.add_to(options);
  options.add_options()
      ("top", po::value(&request.top)->value_name("N"),
       "the N values that, recomputed instead, free the most memory for each FLOP that this takes")
      ("json", po::bool_switch(&request.as_json), "print JSON instead of text")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  const po::options_description visible = visible_options(request);
  po::options_description all;
  all.add(visible).add_options()("graph", po::value(&request.graph), "")("node", po::value(&request.nodes), "");
  po::positional_options_description positional;
  positional.add("graph", 1).add("node", -1);
  const po::variables_map given = parse_options(arguments, all, positional, "explain");
  if (request.help) {
    out << kUsage << visible;
    return request;
  }
  if (request.graph.empty()) {
    throw Failure(ExitStatus::Usage, "expected a graph", "'fxcut explain GRAPH.json NODE...', or - for standard input");
  }
  refuse_empty_values(given, visible, "explain");
  const bool ranks = given.contains("top");
  if (ranks && request.top < 1) throw Failure(ExitStatus::Usage, "--top: expected a number from 1 on");
  if (ranks && !request.nodes.empty()) throw Failure(ExitStatus::Usage, "--top ranks all values: expected no node");
  if (!ranks && request.nodes.empty()) {
    throw Failure(ExitStatus::Usage, "expected the names of nodes",
                  "'fxcut explain GRAPH.json --top 10' ranks the values that matter most");
  }
  request.decision.refuse_second_standard_input(request.graph);
  return request;
}

std::string answer(const Question& question, const Request& request) {
  if (request.top > 0) {
    const RankedCandidates ranked = rank_candidates(question, static_cast<std::size_t>(request.top));
    return request.as_json ? candidates_json(ranked) : candidates_text(ranked);
  }
  const Explained explained = explain(question, request.nodes);
  return request.as_json ? explanation_json(explained) : explanation_text(explained);
}

}  // namespace

ExitStatus run_explain(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const Settings asked = request.decision.resolve_settings();
  const PolicyStack policies = request.decision.resolve_policies();
  const GraphFile file = read_graph_file(request.graph, err, asked.torch_version);
  const std::function<HaltAsked()> clock = [&] { return start_clock(asked, err); };
  try {
    out << within_memory(file.name, [&] {
      const Settings settings = without_peak_limit(file.joint, asked, policies, clock());
      return answer({file.joint, settings, policies, clock}, request);
    });
  } catch (const Failure& failure) {
    throw about_file(failure, file.name);
  }
  return ExitStatus::Done;
}

}  // namespace fxcut
