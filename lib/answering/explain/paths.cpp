#include "explain/paths.h"

#include <algorithm>
#include <queue>

#include "classify/purity.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

enum class Direction { ToInputs, ToUsers };

// The shortest path from `start` to a goal, both included. All nodes between them satisfy `may_pass`; `start` need not.
template <typename MayPass, typename IsGoal>
std::vector<NodeId> shortest(const Decision& decision, NodeId start, Direction direction, const MayPass& may_pass,
                             const IsGoal& is_goal) {
  const Graph& graph = decision.joint.graph;
  std::vector<NodeId> previous(graph.size(), kNoNode);
  std::queue<NodeId> open;
  const auto reach = [&](NodeId id, NodeId from) {
    if (previous[index_of(id)] != kNoNode) return;
    previous[index_of(id)] = from;
    open.push(id);
  };
  reach(start, start);
  while (!open.empty()) {
    const NodeId at = open.front();
    open.pop();
    if (is_goal(at)) {
      std::vector<NodeId> path = {at};
      while (path.back() != start) path.push_back(previous[index_of(path.back())]);
      std::reverse(path.begin(), path.end());
      return path;
    }
    if (at != start && !may_pass(at)) continue;
    if (direction == Direction::ToInputs) {
      for (const NodeId input : graph[at].inputs) reach(input, at);
    } else {
      for (const NodeId user : decision.users.of(at)) reach(user, at);
    }
  }
  return {};
}

// The reverse of one path, continued by another that starts at the same node.
std::vector<NodeId> join(std::vector<NodeId> up, const std::vector<NodeId>& down) {
  if (up.empty() || down.empty()) return {};
  std::reverse(up.begin(), up.end());
  up.insert(up.end(), down.begin() + 1, down.end());
  return up;
}

}  // namespace

std::vector<NodeId> path_of_saved(const Decision& decision, NodeId value) {
  const NodeFacts& facts = *node_facts(decision.choice);
  std::vector<bool> is_saved(decision.joint.graph.size(), false);
  for (const NodeId id : decision.choice.saved) is_saved[index_of(id)] = true;
  const auto tie = [&](NodeId id) { return facts.backward_reasons[index_of(id)]; };
  const auto only_in_forward = [&](NodeId id) {
    return !facts.in_backward[index_of(id)] && tie(id) != BackwardReason::MustBeRecomputed;
  };
  const auto is_banned = [&](NodeId id) {
    return facts.bans[index_of(id)] != Ban::None && (id == value || only_in_forward(id));
  };
  const auto is_computed = [&](NodeId id) {
    const bool is_tied = tie(id) == BackwardReason::ComputedInBackward || tie(id) == BackwardReason::MustBeRecomputed;
    return is_tied && !decision.joint.graph[id].is_output();
  };
  const auto goes_on = [&](NodeId id) { return facts.in_backward[index_of(id)] && !is_saved[index_of(id)]; };
  const auto ends = [&](NodeId id) {
    return (id != value && is_computed(id)) || (tie(id) == BackwardReason::NeededInBackward && (id == value || goes_on(id)));
  };
  return join(shortest(decision, value, Direction::ToInputs, only_in_forward, is_banned),
              shortest(decision, value, Direction::ToUsers, goes_on, ends));
}

std::vector<NodeId> path_of_recomputed(const Decision& decision, const NodeOutcomes& outcomes, NodeId value) {
  const Roles& roles = decision.roles;
  const auto runs_again = [&](NodeId id) { return outcomes.runs_in_backward(id); };
  const auto is_saved = [&](NodeId id) { return outcomes.crosses(id); };
  const auto needs_it = [&](NodeId id) {
    return roles.required_backward[index_of(id)] && (id == value || runs_again(id)) &&
           !decision.joint.graph[id].is_output();
  };
  std::vector<NodeId> up = shortest(decision, value, Direction::ToInputs, runs_again, is_saved);
  if (up.empty()) up = {value};  // not computed from a saved value
  return join(std::move(up), shortest(decision, value, Direction::ToUsers, runs_again, needs_it));
}

std::vector<NodeId> path_to_saved(const Decision& decision, const NodeOutcomes& outcomes, NodeId value) {
  const auto runs = [&](NodeId id) { return outcomes.runs_in_forward(id); };
  const auto is_saved = [&](NodeId id) { return outcomes.crosses(id); };
  return shortest(decision, value, Direction::ToUsers, runs, is_saved);
}

std::vector<NodeId> path_from_gradient(const Decision& decision, NodeId value) {
  const auto depends = [&](NodeId id) { return bool{decision.roles.tangents_closure[index_of(id)]}; };
  const auto begins = [&](NodeId id) {
    const Node& node = decision.joint.graph[id];
    return is_tangent(node) || must_be_in_backward(node);
  };
  if (!depends(value)) return {};
  std::vector<NodeId> path = shortest(decision, value, Direction::ToInputs, depends, begins);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<NodeId> path_to_user(const Decision& decision, const NodeOutcomes& outcomes, NodeId value) {
  for (const NodeId user : decision.users.of(value)) {
    if (outcomes.runs_in_backward(user) && !decision.joint.graph[user].is_output()) return {value, user};
  }
  return decision.roles.required_backward[index_of(value)] ? std::vector{value} : std::vector<NodeId>();
}

}  // namespace fxcut
