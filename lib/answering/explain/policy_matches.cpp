#include "explain/policy_matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <variant>

#include "json/json_forms.h"
#include "normalise/inline_checkpoints.h"
#include "policy/match_policies.h"
#include "quantize/quantized_dtypes.h"
#include "text/quantities.h"
#include "text/table.h"

namespace fxcut {
namespace {

using PolicyJson = nlohmann::ordered_json;

constexpr int kMatchesVersion = 1;
constexpr std::size_t kShownNodes = 3;

// "MUST_SAVE", also for a rule that matches nothing.
std::string said_by(const Policy& policy, std::size_t rule) {
  const auto* list = std::get_if<RuleList>(&policy.content);
  if (!list) return "";
  if (rule < list->rules.size()) return std::string(name_of(list->rules[rule].policy));
  return list->otherwise ? std::string(name_of(*list->otherwise)) : "";
}

PolicyMatches matches_of(const JointGraph& joint, const Policy& policy, const Level& level, const Settings& settings) {
  const Graph& graph = joint.graph;
  PolicyMatches matches{level.source.policy, {}};
  for (std::size_t r = 0; r < level.source.rules.size(); ++r) {
    matches.rules.push_back({level.source.rules[r], said_by(policy, r), {}, 0});
  }
  std::vector<std::set<std::int64_t>> storages(matches.rules.size());
  const auto add = [&](std::uint32_t of, NodeId id) -> RuleMatches& {
    RuleMatches& rule = matches.rules[of];
    const Node& node = graph[id];
    rule.nodes.push_back(node.name);
    const bool is_first = !node.storage() || storages[of].insert(*node.storage()).second;
    if (node.value && is_first) rule.size_bytes += tensor_bytes(*node.value);
    return rule;
  };
  for (const RuleVerdict& verdict : level.verdicts) {
    add(verdict.rule, verdict.node).checkpoint_policy = name_of(verdict.checkpoint_policy);
  }
  const Dtype* usual = find_dtype(find_quantized_dtype(settings.compress_dtype)->name);
  const std::optional<FormsOnRequest> forms = level.forms.empty() ? std::nullopt : std::optional<FormsOnRequest>(joint);
  for (const FormVerdict& verdict : level.forms) {
    RuleMatches& rule = add(verdict.rule, verdict.node);
    const auto form = forms->of(verdict.node, verdict.dtype ? *verdict.dtype : *usual);
    const auto* reason = std::get_if<NoForm>(&form);
    if (reason) rule.as_they_are.push_back({graph[verdict.node].name, *reason});
  }
  // A rule that no node meets and nobody wrote: the end of a list without `otherwise`.
  std::erase_if(matches.rules, [](const RuleMatches& rule) { return rule.checkpoint_policy.empty(); });
  return matches;
}

std::string show_first(const std::vector<std::string>& nodes) {
  const std::size_t shown = std::min(nodes.size(), kShownNodes);
  const std::string names = fmt::format("{}", fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return nodes.size() > shown ? names + ", ..." : names;
}

// "policy 'base', rule 1: dtype float32: of 7 nodes 2 cannot be saved in fewer bits: ..."
std::string describe_as_they_are(const std::string& policy, const RuleMatches& rule) {
  std::map<NoForm, std::vector<std::string>> by_reason;
  for (const NodeAsIs& node : rule.as_they_are) by_reason[node.reason].push_back(node.name);
  std::vector<std::string> reasons;
  for (const auto& [reason, nodes] : by_reason) {
    reasons.push_back(fmt::format("{} ({})", show_first(nodes), phrase_for(reason)));
  }
  return fmt::format("policy '{}', {}: {} of {} cannot be saved in fewer bits: {}\n", policy, rule.rule, rule.as_they_are.size(),
                     show_count(rule.nodes.size(), "node"), fmt::join(reasons, ", "));
}

std::string text_of_as_they_are(const StackMatches& matches) {
  std::string text;
  for (const PolicyMatches& policy : matches.policies) {
    for (const RuleMatches& rule : policy.rules) {
      if (!rule.as_they_are.empty()) text += describe_as_they_are(policy.policy, rule);
    }
  }
  return text;
}

}  // namespace

StackMatches match_stack(JointGraph joint, const PolicyStack& stack, const Settings& settings) {
  joint = inline_checkpoints(std::move(joint));
  if (!settings.enable_activation_offloading) {  // PyTorch's marks hold only then
    for (Node& node : joint.graph.nodes) node.meta.should_offload = false;
  }
  const std::vector<bool> subjects = find_subjects(joint.graph);
  MatchedPolicies matched = match_policies(stack, joint, settings);
  StackMatches matches{joint.name, static_cast<std::size_t>(std::ranges::count(subjects, true)), {}, std::move(matched.warnings)};
  for (std::size_t i = 0; i < stack.size(); ++i) {
    matches.policies.push_back(matches_of(joint, stack[i], matched.levels[i], settings));
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
  const std::string more = cut_rows(rows);
  return show_columns_within(rows, "lllrrl") + more +
         fmt::format("(of the forward's {} calls and inputs; each counts for the first rule of a policy that matches it)\n",
                     matches.nodes) +
         text_of_as_they_are(matches);
}

std::string matches_json(const StackMatches& matches) {
  PolicyJson json = {{"format", "fxcut-policy-matches"}, {"version", kMatchesVersion}, {"graph", matches.graph},
                     {"nodes", matches.nodes}, {"policies", PolicyJson::array()}};
  for (const PolicyMatches& policy : matches.policies) {
    PolicyJson rules = json_list(policy.rules, [](const RuleMatches& rule) {
      PolicyJson row = {
          {"rule", rule.rule}, {"policy", rule.checkpoint_policy}, {"bytes", rule.size_bytes}, {"nodes", rule.nodes}};
      for (const NodeAsIs& node : rule.as_they_are) {
        row["as_they_are"].push_back({{"node", node.name}, {"reason", name_of(node.reason)}});
      }
      return row;
    });
    json["policies"].push_back({{"name", policy.policy}, {"rules", std::move(rules)}});
  }
  json["warnings"] = matches.warnings;
  return json_file(json);
}

}  // namespace fxcut
