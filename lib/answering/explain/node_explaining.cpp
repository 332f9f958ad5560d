#include "explain/node_explaining.h"

#include <fmt/format.h>

#include <algorithm>

#include "cost/size.h"
#include "explain/reasons.h"
#include "explain/storage_trade.h"
#include "explain/ways.h"

namespace fxcut {

NodeExplaining::NodeExplaining(const Question& question, const Decision& decision)
    : question_(question),
      decision_(decision),
      made_(carry_out(decision, question.settings).report),
      fates_(decision),
      explanation_(decision.joint, decision.choice, decision.wanted) {
  if (decision.choice.decided_by<ByMinCut>()) cut_.emplace(decision, question.settings);
  for (const SavedValue& row : made_.saved_values) {
    if (!row.host_name.empty()) offloaded_.insert(row.name);
  }
}

NodeExplanation NodeExplaining::of(NodeId id) const {
  NodeExplanation told;
  told.node = shown(graph()[id], question_.settings);
  told.fate = fates_.of(id);
  told.offloaded = offloaded_.contains(told.node.name);
  tell_why(id, told);
  if (told.fate == Fate::Result) return told;
  tell_weight(id, told);
  tell_budget(id, told);
  tell_other_ways(id, told);
  return told;
}

void NodeExplaining::tell_why(NodeId id, NodeExplanation& told) const {
  std::vector<NodeId> way;
  switch (told.fate) {
    case Fate::Saved:
      told.why = graph()[id].has_symbol() ? explanation_.of_symbol(id) : explanation_.of_saved(id);
      told.way = way_of_the_saved(id, told);
      break;
    case Fate::Recomputed:
      told.why = explanation_.of_recomputed(id);
      told.way = way_of_what_runs_again(id);
      if (told.way->nodes.empty()) told.notes.emplace_back("no way leads from it to what the backward has to compute");
      break;
    case Fate::ForwardOnly:
      way = way_to_saved(decision_, fates_, id);
      told.why = why_forward_only(decision_, id, way);
      if (!way.empty()) told.way = shown_way(way, "", "saved");
      break;
    case Fate::BackwardOnly:
      way = way_from_gradient(decision_, id);
      told.why = why_backward_only(decision_, id);
      if (way.size() > 1) told.way = shown_way(way, why_backward_only(decision_, way.front()).text, "");
      if (way.empty() && graph()[id].is_call()) told.way = way_of_what_runs_again(id);
      break;
    default: told.why = why_gone(told.fate, "");
  }
  if (told.way && told.way->nodes.empty()) told.way.reset();
}

// By a cut or the frontier solver the way that forces it; else who takes it.
Way NodeExplaining::way_of_the_saved(NodeId id, NodeExplanation& told) const {
  if (!was_chosen(id)) {
    told.notes.emplace_back("no way through the graph forces it: it is saved for sizes in the backward");
    return {};
  }
  if (cut_ || decision_.choice.decided_by<ByFrontier>()) {
    const std::vector<NodeId> way = way_of_saved(decision_, id);
    if (!way.empty()) {
      const Ban ban = node_facts(decision_.choice)->bans[index_of(way.front())];
      return shown_way(way, fmt::format("not recomputed: {}", phrase_for(ban)), tie_to_backward(way.back()));
    }
    if (cut_) told.notes.emplace_back("no way through the graph forces it: saving it costs nothing");
  }
  const std::vector<NodeId> way = way_to_taker(decision_, fates_, id);
  if (way.size() == 1) return shown_way(way, "", tie_to_backward(id));
  return shown_way(way, "", "takes it in the backward");
}

Way NodeExplaining::way_of_what_runs_again(NodeId id) const {
  const std::vector<NodeId> way = way_of_recomputed(decision_, fates_, id);
  if (way.empty()) return {};
  return shown_way(way, fates_.crosses(way.front()) ? "saved" : "computed from nothing that is saved",
                   tie_to_backward(way.back()));
}

Way NodeExplaining::shown_way(const std::vector<NodeId>& way, std::string from, std::string to) const {
  Way told{{}, std::move(from), std::move(to)};
  for (const NodeId id : way) told.nodes.push_back(shown(graph()[id], question_.settings));
  return told;
}

std::string NodeExplaining::tie_to_backward(NodeId id) const {
  const std::size_t i = index_of(id);
  if (decision_.roles.tangents_closure[i]) return std::string(phrase_for(Tie::ComputedInBackward));
  if (decision_.roles.required_backward[i]) return std::string(phrase_for(Tie::NeededInBackward));
  return std::string(phrase_for(Tie::MustBeRecomputed));
}

// Whether the decision saves the value, and not only what crosses besides.
bool NodeExplaining::was_chosen(NodeId id) const {
  const auto& saved = decision_.choice.saved;
  return std::find(saved.begin(), saved.end(), id) != saved.end();
}

void NodeExplaining::tell_weight(NodeId id, NodeExplanation& told) const {
  if (told.fate == Fate::Saved && !was_chosen(id)) return;
  if (told.fate == Fate::BackwardOnly && decision_.roles.tangents_closure[index_of(id)]) return;
  if (!cut_) return tell_without_cut(id, told);
  const ByMinCut& by = *decision_.choice.decided_by<ByMinCut>();
  if (const auto facts = cut_->of(id)) {
    told.weight = facts->weight;
    told.limit = facts->limit;
    told.other_cut = facts->other_cut;
    if (by.solved.cuts.size() > 1) told.notes.emplace_back("weights are those of the memory budget's last cut");
  } else if (by.nodes.ties[index_of(id)] == Tie::MustBeRecomputed) {
    told.notes.emplace_back("its weight decides nothing: it is tagged to be recomputed");
  } else if (const Unsavable why = by.nodes.costs[index_of(id)].unsavable; why != Unsavable::No) {
    told.notes.push_back(fmt::format("it cannot be saved at any weight: {}", phrase_for(why)));
  }
}

void NodeExplaining::tell_without_cut(NodeId id, NodeExplanation& told) const {
  if (decision_.choice.decided_by<ByFrontier>()) {
    told.trade = find_storage_trade(decision_, question_.settings, id);
    told.notes.emplace_back("the frontier solver weighs storages, not values, against what runs again without them");
  } else if (saves_inputs(decision_.choice)) {
    told.notes.emplace_back("weights decide nothing here: the memory budget has just the inputs saved");
  } else {
    told.notes.emplace_back("the default partitioner weighs nothing: it saves what the backward takes");
  }
}

void NodeExplaining::tell_budget(NodeId id, NodeExplanation& told) const {
  const std::vector<KnapsackItem> items = solved_by(decision_.choice).knapsack;
  const auto is_it = [&](const KnapsackItem& item) { return item.node == id; };
  const auto found = std::find_if(items.begin(), items.end(), is_it);
  if (found == items.end()) return;
  const Node& node = graph()[id];
  told.knapsack = KnapsackPart{found->is_saved, find_size(node, question_.settings).value_or(0), found->memory_share,
                               found->runtime};
}

void NodeExplaining::tell_other_ways(NodeId id, NodeExplanation& told) const {
  const bool is_saved = told.fate == Fate::Saved;
  if (is_saved && graph()[id].is_placeholder()) {
    told.notes.emplace_back("it cannot be forced the other way: the backward cannot compute an input");
    return;
  }
  const bool feeds_saved = told.fate == Fate::ForwardOnly && told.way;
  if (!graph()[id].is_call() || !(is_saved || feeds_saved || told.fate == Fate::Recomputed)) return;
  const auto tag = told.fate == Fate::Recomputed ? CheckpointPolicy::MustSave : CheckpointPolicy::MustRecompute;
  told.other_ways.push_back(find_other_way(question_, made_, {told.node.name, tag}));
}

}  // namespace fxcut
