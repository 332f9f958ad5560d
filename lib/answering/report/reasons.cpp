#include "report/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "classify/purity.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

constexpr std::string_view kOnPathFrom = "the cheapest to save on a path from ";
constexpr std::string_view kNotRecomputed = ", which is not recomputed";

Why saved_by_default(const Node& node) {
  if (node.has_symbol()) {
    return {"symbol", "the default partitioner saves every symbolic number of the forward"};
  }
  if (node.meta.recompute == CheckpointPolicy::MustSave) {
    return {"must_save", "tagged MUST_SAVE, or enters a region that is recomputed"};
  }
  if (node.is_call() && is_impure(node)) {
    return {"side_effect", "its operator has a side effect, which must happen once"};
  }
  return {
      "taken_by_backward", "the default partitioner saves the forward values that the backward uses"};
}

// Reasons for decisions that save the inputs without a cut.
struct InputsAlone {
  std::string_view reason, how;
};
constexpr InputsAlone kZeroBudget = {"budget_zero", "with a memory budget of 0"};
constexpr InputsAlone kNothingToChoose = {"nothing_to_choose", "the memory budget finds no costly value to choose among:"};

Why with_the_inputs(const InputsAlone& alone, std::string_view what) {
  return {std::string(alone.reason), fmt::format("{} {}", alone.how, what)};
}

Why saved_with_the_inputs(const InputsAlone& alone, std::string_view what, const Node& node) {
  if (node.meta.recompute == CheckpointPolicy::MustSave) return {"must_save", "not recomputed: marked MUST_SAVE"};
  return with_the_inputs(alone, what);
}

constexpr std::string_view kRestIsRecomputed = "all but the inputs is recomputed";

// Why a solver could not save it; empty if it could.
std::optional<Why> not_savable(Unsavable why) {
  switch (why) {
    case Unsavable::NonTensor:
      return Why{"not_a_tensor", "its value is not a tensor, so only its items can be saved"};
    case Unsavable::View: return Why{"view", "a view: free to recompute, and recompute_views is set"};
    case Unsavable::Replayed: return Why{"replayed_mutation", std::string(phrase_for(Unsavable::Replayed))};
    case Unsavable::No: break;
  }
  return std::nullopt;
}

std::optional<Int128> cost_of(const SavingCost& saving) {
  return saving.unsavable == Unsavable::No ? std::optional<Int128>(saving.cost) : std::nullopt;
}

// The reason if it is saved by a ban on recomputing it; empty if there is none. The frontier solver has no `cost`: it weighs
// storages.
std::optional<Why> saved_by_ban(Ban ban, std::optional<Int128> cost) {
  if (ban == Ban::None) return std::nullopt;
  const bool is_input = ban == Ban::PrimalInput || ban == Ban::ForwardSeed;
  const std::string_view phrase = phrase_for(ban);
  return Why{std::string(name_of(ban)), is_input ? std::string(phrase) : fmt::format("not recomputed: {}", phrase), cost};
}

}  // namespace

Reasons::Reasons(const JointGraph& joint, const SavedValues& choice, const PolicyOutcome& tagged)
    : joint_(joint), choice_(choice), tagged_(tagged) {
  if (const auto* by = choice.decided_by<ByMinCut>()) find_roots(by->nodes);
}

void Reasons::find_roots(const NodeFacts& facts) {
  const Graph& graph = joint_.graph;
  root_.assign(graph.size(), kNoNode);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (facts.bans[i] != Ban::None) root_[i] = node_id(i);
    for (const NodeId input : graph.nodes[i].inputs) {
      if (root_[i] != kNoNode) break;
      if (!facts.in_backward[index_of(input)]) root_[i] = root_[index_of(input)];
    }
  }
}

Why Reasons::of_saved(NodeId id) const { return with_policy(id, reason_for_saved(id)); }
Why Reasons::of_recomputed(NodeId id) const { return with_policy(id, reason_for_recomputed(id)); }

// A policy that matched the node overrides the other reasons.
Why Reasons::with_policy(NodeId id, Why why) const {
  why.policy = tagged_.reasons.of(joint_.graph[id].name);
  if (why.policy && why.policy->checkpoint_policy != CheckpointPolicy::PreferSave) {
    why.reason = "policy";
    const PolicyReason& by = *why.policy;
    why.text = fmt::format("{} by policy '{}' ({})", name_of(by.checkpoint_policy), by.policy, by.rule);
  }
  return why;
}

Why Reasons::reason_for_saved(NodeId id) const {
  if (choice_.repaired.contains(id) && !choice_.decided_by<ByOther>()) {
    return {"sound", "saved for soundness: recomputing it would give another value"};
  }
  return std::visit([&](const auto& by) { return saved_by(by, id); }, choice_.by);
}

Why Reasons::saved_by(const ByOther&, NodeId) const { return {"decision", "saved by the decision that is replayed"}; }

Why Reasons::saved_by(const ByDefaultPartitioner&, NodeId id) const { return saved_by_default(joint_.graph[id]); }

Why Reasons::saved_by(const ByZeroBudget&, NodeId id) const {
  return saved_with_the_inputs(kZeroBudget, "just the inputs are saved", joint_.graph[id]);
}

Why Reasons::saved_by(const ByLackOfCandidates&, NodeId id) const {
  return saved_with_the_inputs(kNothingToChoose, "the inputs are saved", joint_.graph[id]);
}

Why Reasons::saved_by(const ByFrontier& by, NodeId id) const {
  return saved_by_ban(by.nodes.bans[index_of(id)], std::nullopt)
      .value_or(Why{"frontier", "its storage is held, so that it is not recomputed"});
}

Why Reasons::saved_by(const ByMinCut& by, NodeId id) const {
  const std::optional<Int128> cost = cost_of(by.nodes.costs[index_of(id)]);
  if (auto why = saved_by_ban(by.nodes.bans[index_of(id)], cost)) return *std::move(why);
  const NodeId root = root_[index_of(id)];
  if (root == kNoNode) return {"cheapest_cut", "cheapest to save here", cost};
  return {"cheapest_cut",
          fmt::format("{}{}{}: {}", kOnPathFrom, joint_.graph[root].name, kNotRecomputed,
                      phrase_for(by.nodes.bans[index_of(root)])),
          cost};
}

// Whether the tag is the user's: the frontier solver also tags the nodes that it recomputes.
bool Reasons::is_tagged_by_user(NodeId id) const {
  const auto* frontier = choice_.decided_by<ByFrontier>();
  return joint_.graph[id].must_recompute() &&
         (!frontier || frontier->nodes.backward_reasons[index_of(id)] == BackwardReason::MustBeRecomputed);
}

Why Reasons::reason_for_recomputed(NodeId id) const {
  const Node& node = joint_.graph[id];
  if (choice_.decided_by<ByOther>()) return {"decision", "recomputed by the decision that is replayed"};
  if (is_tagged_by_user(id)) {
    const bool must = node.meta.recompute == CheckpointPolicy::MustRecompute;
    return {"checkpoint_policy", fmt::format("its checkpoint policy is {}", must ? "MUST_RECOMPUTE" : "PREFER_RECOMPUTE")};
  }
  if (is_impure(node)) return {"side_effect", "runs on both sides for its side effect"};
  if (choice_.decided_by<ByZeroBudget>()) return with_the_inputs(kZeroBudget, kRestIsRecomputed);
  if (choice_.decided_by<ByLackOfCandidates>()) return with_the_inputs(kNothingToChoose, kRestIsRecomputed);
  if (choice_.decided_by<ByDefaultPartitioner>()) {
    return {"not_saved_by_default", "of a kind, or at a place after the forward, that the default partitioner does not save"};
  }
  const SavingCost& saving = node_facts(choice_)->costs[index_of(id)];
  if (auto why = not_savable(saving.unsavable)) return *std::move(why);
  if (choice_.decided_by<ByFrontier>()) {
    return {"frontier", "recomputed, so that what is saved stays within the limit"};
  }
  return {"cheaper_to_recompute", "its inputs are saved in any case, or cost less to save", saving.cost};
}

Why Reasons::of_symbol(NodeId id) const {
  const bool cut_saved_it = std::find(choice_.saved.begin(), choice_.saved.end(), id) != choice_.saved.end();
  if (cut_saved_it) return of_saved(id);
  return {"binds_symbol", "a size of the backward's inputs is made of it"};
}

std::string general_reason(const Why& why) {
  return why.text.starts_with(kOnPathFrom) ? fmt::format("{}a value{}", kOnPathFrom, kNotRecomputed) : why.text;
}

}  // namespace fxcut
