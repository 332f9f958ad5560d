#include "report/policies_json.h"

#include <nlohmann/json.hpp>

#include "policy/match_rows.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kPolicyVersion = 1;

Json condition_json(const TextRow&, const Pattern& pattern) {
  if (pattern.is_regex()) return {{"regex", pattern.text()}};
  return pattern.text();
}

Json condition_json(const NumberRow&, std::int64_t number) { return number; }

template <typename Word, typename Words>
Json condition_json(const WordRow<Word, Words>& row, Word word) {
  return row.name(word);
}

Json match_json(const PolicyMatch& match) {
  Json json = Json::object();
  for_each_match_row([&](const auto& row) {
    if (const auto& given = match.*row.member) json[row.key] = condition_json(row, *given);
  });
  if (match.every != 1) json["every"] = match.every;
  return json;
}

void add_rules(const RuleList& list, Json& json) {
  json["rules"] = Json::array();
  for (const PolicyRule& rule : list.rules) {
    Json row = {{"match", match_json(rule.match)}, {"policy", name_of(rule.policy)}};
    const auto* compressing = std::get_if<Compressing>(&rule.policy);
    if (compressing && compressing->dtype) row["dtype"] = compressing->dtype->name;
    json["rules"].push_back(std::move(row));
  }
  if (list.otherwise) json["otherwise"] = name_of(*list.otherwise);
}

void add_jax(const JaxPolicy& policy, Json& json) {
  json["jax"] = policy.kind;
  if (!policy.names.empty()) json["names"] = policy.names;
  if (!policy.save.empty()) json["save"] = policy.save;
  if (!policy.offload.empty()) json["offload"] = policy.offload;
  for (const JaxPolicy& part : policy.policies) {
    Json inner = Json::object();
    add_jax(part, inner);
    json["policies"].push_back(std::move(inner));
  }
}

}  // namespace

Json policies_json(const PolicyStack& stack) {
  Json json = {{"version", kPolicyVersion}, {"policies", Json::array()}};
  for (const Policy& policy : stack) {
    Json entry = {{"name", policy.name}};
    if (const auto* rules = std::get_if<RuleList>(&policy.content)) add_rules(*rules, entry);
    if (const auto* jax = std::get_if<JaxPolicy>(&policy.content)) add_jax(*jax, entry);
    json["policies"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace fxcut
