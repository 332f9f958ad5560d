#include "explain/policy_matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "json/json_forms.h"
#include "normalise/inline_checkpoints.h"
#include "policy/match_policies.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using PolicyJson = nlohmann::ordered_json;

constexpr int kMatchesVersion = 1;
constexpr std::size_t kShownNodes = 3;

// "MUST_SAVE", also of a rule that matches nothing.
std::string said_by(const Policy& policy, std::size_t rule) {
  const auto* list = std::get_if<RuleList>(&policy.content);
  if (!list) return "";
  if (rule < list->rules.size()) return std::string(name_of(list->rules[rule].policy));
  return list->otherwise ? std::string(name_of(*list->otherwise)) : "";
}

PolicyMatches matches_of(const Graph& graph, const Policy& policy, const Level& level) {
  PolicyMatches matches{level.source.policy, {}};
  for (std::size_t r = 0; r < level.source.rules.size(); ++r) {
    matches.rules.push_back({level.source.rules[r], said_by(policy, r), {}, 0});
  }
  std::vector<std::set<std::int64_t>> storages(matches.rules.size());
  for (const RuleVerdict& verdict : level.verdicts) {
    RuleMatches& rule = matches.rules[verdict.rule];
    const Node& node = graph[verdict.node];
    rule.checkpoint_policy = name_of(verdict.checkpoint_policy);
    rule.nodes.push_back(node.name);
    const bool is_first = !node.storage() || storages[verdict.rule].insert(*node.storage()).second;
    if (node.value && is_first) rule.size_bytes += tensor_bytes(*node.value);
  }
  // Nobody wrote what is said of no node: the end of a list without `otherwise`.
  std::erase_if(matches.rules, [](const RuleMatches& rule) { return rule.checkpoint_policy.empty(); });
  return matches;
}

std::string show_first(const std::vector<std::string>& nodes) {
  const std::size_t shown = std::min(nodes.size(), kShownNodes);
  const std::string names = fmt::format("{}", fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return nodes.size() > shown ? names + ", ..." : names;
}

}  // namespace

StackMatches match_stack(JointGraph joint, const PolicyStack& stack, const Settings& settings) {
  joint = inline_checkpoints(std::move(joint));
  const std::vector<bool> subjects = find_subjects(joint.graph);
  MatchedPolicies matched = match_policies(stack, joint, settings);
  StackMatches matches{joint.name, static_cast<std::size_t>(std::ranges::count(subjects, true)), {}, std::move(matched.warnings)};
  for (std::size_t i = 0; i < stack.size(); ++i) {
    matches.policies.push_back(matches_of(joint.graph, stack[i], matched.levels[i]));
  }
  return matches;
}

std::string matches_text(const StackMatches& matches) {
  std::vector<std::vector<std::string>> rows = {{"POLICY", "RULE", "SAYS", "NODES", "BYTES", "FIRST"}};
  for (const PolicyMatches& policy : matches.policies) {
    for (const RuleMatches& rule : policy.rules) {
      rows.push_back({policy.policy, rule.rule, rule.checkpoint_policy, std::to_string(rule.nodes.size()),
                      show_bytes(rule.size_bytes), show_first(rule.nodes)});
    }
  }
  return show_columns_within(rows, "lllrrl") +
         fmt::format("(of the forward's {} calls and inputs; each counts for the first rule of a policy that matches it)\n",
                     matches.nodes);
}

std::string matches_json(const StackMatches& matches) {
  PolicyJson json = {{"format", "fxcut-policy-matches"}, {"version", kMatchesVersion}, {"graph", matches.graph},
                     {"nodes", matches.nodes}, {"policies", PolicyJson::array()}};
  for (const PolicyMatches& policy : matches.policies) {
    PolicyJson rules = json_list(policy.rules, [](const RuleMatches& rule) {
      return PolicyJson{
          {"rule", rule.rule}, {"policy", rule.checkpoint_policy}, {"bytes", rule.size_bytes}, {"nodes", rule.nodes}};
    });
    json["policies"].push_back({{"name", policy.policy}, {"rules", std::move(rules)}});
  }
  json["warnings"] = matches.warnings;
  return json_file(json);
}

}  // namespace fxcut
