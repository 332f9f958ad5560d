#include "eager/save_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "eager/saved_owners.h"
#include "normalise/inline_checkpoints.h"

namespace fxcut {
namespace {

constexpr std::string_view kProduct = "aten.mm.default";

// A call of a layer that a list with its operator saves.
struct Candidate {
  EagerCall call;
  std::int64_t size_bytes = 0;  // of all its results
  const KeptCall* decided = nullptr;
};

using CallKey = std::tuple<std::string, std::string, std::size_t>;

CallKey key_of(const EagerCall& call) { return {call.module, call.op, call.number}; }

std::set<std::string> drawing_operators(const Graph& graph, const EagerCalls& calls) {
  std::set<std::string> drawing;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (calls.by_node[i] && draws_numbers(node) && !is_dropout_in_steps(node)) drawing.insert(calls.by_node[i]->op);
  }
  return drawing;
}

// By operator, in execution order.
std::map<std::string, std::vector<Candidate>> find_candidates(const Graph& graph, const EagerPolicy& exact) {
  std::map<CallKey, const KeptCall*> decided;
  for (const KeptCall& kept : exact.kept) decided.emplace(key_of(kept.call), &kept);
  const Regions layers{std::string(kLayersOfTorchtitan)};
  const SavedOwners owners(graph);
  const std::set<std::string> drawing = drawing_operators(graph, exact.calls);
  std::map<std::string, std::size_t> products;  // by layer
  std::map<std::string, std::vector<Candidate>> candidates;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!exact.calls.by_node[i] || graph.nodes[i].callee->is(Operator::View)) continue;
    const EagerCall& call = *exact.calls.by_node[i];
    const std::optional<std::string> layer = layers.of(call.module);
    if (!layer || drawing.contains(call.op) || (call.op == kProduct && ++products[*layer] % 2 == 0)) continue;
    const auto found = decided.find(key_of(call));
    candidates[call.op].push_back(
        {call, owners.other_bytes(node_id(i), {}), found == decided.end() ? nullptr : found->second});
  }
  return candidates;
}

bool is_worth_listing(const std::vector<Candidate>& candidates) {
  std::int64_t wanted = 0, unwanted = 0;
  for (const Candidate& candidate : candidates) (candidate.decided ? wanted : unwanted) += candidate.size_bytes;
  return wanted > 0 && wanted >= unwanted;
}

UnsaidValue not_listed(const KeptCall& kept) {
  return {kept.values.front(), kept.call.op, kept.call.module, kept.saved_bytes, Unsaid::NotListed};
}

void refuse_without_layers(const Graph& graph) {
  const Regions layers{std::string(kLayersOfTorchtitan)};
  if (layers.have_any(number_calls(graph))) return;
  throw Failure(ExitStatus::Usage,
                fmt::format("no module of the graph is named {}: torchtitan wraps those of model.layers", kLayersOfTorchtitan),
                "where layers are elsewhere, --as torch makes a policy for them: --as torch --regions '*.layers.*'");
}

}  // namespace

EagerPolicy torchtitan_list(JointGraph joint, const Report& decision) {
  joint = inline_checkpoints(std::move(joint));
  refuse_without_layers(joint.graph);
  EagerPolicy policy = eager_policy(joint, decision, std::string(kLayersOfTorchtitan));
  const std::map<std::string, std::vector<Candidate>> candidates = find_candidates(joint.graph, policy);
  std::map<CallKey, KeptCall> saved;
  for (const auto& [op, calls] : candidates) {
    if (!is_worth_listing(calls)) continue;
    policy.listed.push_back(op);
    for (const Candidate& candidate : calls) {
      KeptCall kept = candidate.decided ? *candidate.decided : KeptCall{candidate.call, {}, 0, candidate.size_bytes};
      saved.emplace(key_of(candidate.call), std::move(kept));
    }
  }
  for (const KeptCall& kept : policy.kept) {
    if (!saved.contains(key_of(kept.call))) policy.unsaid.push_back(not_listed(kept));
  }
  policy.form = "torchtitan";
  policy.kept.clear();
  for (const std::optional<EagerCall>& call : policy.calls.by_node) {  // in execution order
    const auto found = call ? saved.find(key_of(*call)) : saved.end();
    if (found != saved.end()) policy.kept.push_back(std::move(found->second));
  }
  return policy;
}

}  // namespace fxcut
