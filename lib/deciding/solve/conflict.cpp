#include "solve/conflict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fxcut {
namespace {

std::string describe(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path,
                     std::size_t s) {
  const NodeId id = path[s].node;
  const Node& node = a.node(id);
  std::vector<std::string> reasons;
  reasons.push_back(s == 0 ? fmt::format("cannot be recomputed: {}", phrase_for(facts.bans[index_of(id)]))
                           : fmt::format("takes '{}'", a.node(path[s - 1].node).name));
  if (path[s].passes_through) {
    reasons.push_back(fmt::format("cannot be saved: {}", phrase_for(facts.costs[index_of(id)].unsavable)));
  }
  if (s + 1 == path.size()) reasons.emplace_back(phrase_for(facts.backward_reasons[index_of(id)]));
  return fmt::format("\n    {} ({}): {}", node.name, node.is_call() ? node.callee->target : "placeholder",
                     fmt::join(reasons, "; "));
}

std::string suggest(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path) {
  const Node& first = a.node(path.front().node);
  const Node& last = a.node(path.back().node);
  const auto find_unsavable = [&](Unsavable why) -> const Node* {
    const auto found = std::find_if(path.begin(), path.end(), [&](const ConflictStep& step) {
      return step.passes_through && facts.costs[index_of(step.node)].unsavable == why;
    });
    return found == path.end() ? nullptr : &a.node(found->node);
  };
  if (const Node* view = find_unsavable(Unsavable::View)) {
    return fmt::format("set recompute_views to false, so that '{}' can be saved", view->name);
  }
  if (const Node* replayed = find_unsavable(Unsavable::Replayed)) {
    return fmt::format("clone '{}' in the forward before it is written to, and take the clone", replayed->name);
  }
  if (facts.backward_reasons[index_of(path.back().node)] == BackwardReason::MustBeRecomputed) {
    const std::string drop = fmt::format("drop the recompute tag of '{}'", last.name);
    return first.is_placeholder() ? drop : fmt::format("{}, or tag '{}' MUST_RECOMPUTE as well", drop, first.name);
  }
  if (first.is_placeholder()) return fmt::format("'{}' can be saved if it is a tensor: check its 'val'", first.name);
  if (facts.bans[index_of(path.front().node)] == Ban::MustSave) {
    return fmt::format("take the MUST_SAVE tag off '{}', and tag what is taken out of it instead", first.name);
  }
  return fmt::format("let '{}' be recomputed: tag it MUST_RECOMPUTE", first.name);
}

}  // namespace

Failure conflict(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path) {
  std::string text = "no partition: the backward needs a value that can neither be saved nor recomputed\n"
                     "  the nodes in the way, from what cannot be recomputed to what the backward computes:";
  for (std::size_t s = 0; s < path.size(); ++s) text += describe(a, facts, path, s);
  return Failure(ExitStatus::NoPartition, std::move(text), suggest(a, facts, path));
}

}  // namespace fxcut
