// A policy with the effect of a candidate's row. A rule by operator, module and size, which holds for other traces of the model
// as well, is tried first; it may select other values, so the graph is decided with it, and it is taken only if nothing
// differs.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "cost/estimators.h"
#include "explain/candidate_ranking.h"
#include "explain/explain.h"
#include "report/layers.h"

namespace fxcut {
namespace {

PolicyRule recompute(PolicyMatch match) { return {std::move(match), CheckpointPolicy::MustRecompute}; }

// "layers.*.mlp" of "layers.0.mlp".
std::string any_layer(const std::string& module) {
  std::string glob;
  for (std::size_t begin = 0; begin <= module.size();) {
    const std::size_t end = std::min(module.find('.', begin), module.size());
    const std::string part = module.substr(begin, end - begin);
    glob += (begin > 0 ? "." : "") + (layer_number(part) ? "*" : part);
    begin = end + 1;
  }
  return glob;
}

RuleList general_rule(const Candidate& candidate) {
  PolicyMatch match;
  match.op = Pattern::operator_glob(candidate.node.op);
  const std::string& module = candidate.node.provenance.module;
  if (!module.empty()) match.module = Pattern::glob(candidate.alike.empty() ? module : any_layer(module));
  match.min_bytes = match.max_bytes = candidate.node.size_bytes;
  return {{recompute(std::move(match))}, std::nullopt};
}

RuleList rules_by_node(const Candidate& candidate) {
  RuleList list;
  const auto add = [&](const std::string& node) {
    PolicyMatch match;
    match.node = Pattern::glob(node);
    list.rules.push_back(recompute(std::move(match)));
  };
  add(candidate.node.name);
  for (const std::string& node : candidate.alike) add(node);
  return list;
}

// Whether the decision under the policies differs from the original one as the candidate's row says.
bool has_the_effect(const ExplainContext& context, const PolicyStack& stack, const Candidate& candidate, const Report& original) {
  const Alternative found = find_alternative(context, original, stack);
  const Alternative& expected = candidate.alternative;
  return found.refused.empty() && found.adds_fault.empty() &&
         found.saved_bytes_not_static_change == expected.saved_bytes_not_static_change &&
         found.step_ms_change == expected.step_ms_change &&
         picoseconds(found.recomputed_ms_change) == picoseconds(expected.recomputed_ms_change) &&
         found.peak_bytes_change == expected.peak_bytes_change;
}

PolicyStack with_policy(const ExplainContext& context, const Candidate& candidate, RuleList rules) {
  PolicyStack stack = context.policies;
  stack.push_back({fmt::format("recompute {}", candidate.node.name), std::move(rules)});
  return stack;
}

}  // namespace

PolicyStack policy_by_node(const ExplainContext& context, const Candidate& candidate) {
  return with_policy(context, candidate, rules_by_node(candidate));
}

PolicyStack policy_for(const ExplainContext& context, const Candidate& candidate) {
  const std::shared_ptr<const Decision> made = decision_of(context);
  const Decision& decision = *made;
  const Report original = carry_out(decision, context.settings).report;
  PolicyStack general = with_policy(context, candidate, general_rule(candidate));
  return has_the_effect(context, general, candidate, original) ? general : policy_by_node(context, candidate);
}

}  // namespace fxcut
