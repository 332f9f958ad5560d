#include "solve/conflict.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fxcut {
namespace {

std::string describe(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& way,
                     std::size_t s) {
  const NodeId id = way[s].node;
  const Node& node = a.node(id);
  std::vector<std::string> ties;
  if (s == 0) {
    ties.push_back(fmt::format("cannot be recomputed: {}", phrase_for(facts.bans[index_of(id)])));
  } else {
    ties.push_back(fmt::format("takes '{}'", a.node(way[s - 1].node).name));
  }
  if (way[s].passes_through) {
    ties.push_back(fmt::format("cannot be saved: {}", phrase_for(facts.costs[index_of(id)].unsavable)));
  }
  if (s + 1 == way.size()) ties.emplace_back(phrase_for(facts.ties[index_of(id)]));
  return fmt::format("\n    {} ({}): {}", node.name, node.is_call() ? node.callee->target : "placeholder",
                     fmt::join(ties, "; "));
}

std::string suggest(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& way) {
  const Node& first = a.node(way.front().node);
  const Node& last = a.node(way.back().node);
  const auto view = std::find_if(way.begin(), way.end(), [&](const ConflictStep& step) {
    return step.passes_through && facts.costs[index_of(step.node)].unsavable == Unsavable::View;
  });
  if (view != way.end())
    return fmt::format("set recompute_views to false, so that '{}' can be saved", a.node(view->node).name);
  const auto replayed = std::find_if(way.begin(), way.end(), [&](const ConflictStep& step) {
    return step.passes_through && facts.costs[index_of(step.node)].unsavable == Unsavable::Replayed;
  });
  if (replayed != way.end()) {
    return fmt::format("clone '{}' in the forward before it is written to, and take the clone",
                       a.node(replayed->node).name);
  }
  if (facts.ties[index_of(way.back().node)] == Tie::MustBeRecomputed) {
    const std::string drop = fmt::format("drop the recompute tag of '{}'", last.name);
    return first.is_placeholder() ? drop : fmt::format("{}, or tag '{}' MUST_RECOMPUTE as well", drop, first.name);
  }
  if (first.is_placeholder()) return fmt::format("'{}' can be saved if it is a tensor: check its 'val'", first.name);
  if (facts.bans[index_of(way.front().node)] == Ban::MustSave) {
    return fmt::format("take the MUST_SAVE tag off '{}', and tag what is taken out of it instead", first.name);
  }
  return fmt::format("let '{}' be recomputed: tag it MUST_RECOMPUTE", first.name);
}

}  // namespace

Failure conflict(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& way) {
  std::string text = "no partition: the backward needs a value that can neither be saved nor recomputed\n"
                     "  the nodes in the way, from what cannot be recomputed to what the backward computes:";
  for (std::size_t s = 0; s < way.size(); ++s) text += describe(a, facts, way, s);
  return Failure(ExitStatus::NoPartition, std::move(text), suggest(a, facts, way));
}

}  // namespace fxcut
