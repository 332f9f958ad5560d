#include "step/step_phases.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "step/backward_regions.h"
#include "step/late_calls.h"

namespace fxcut {
namespace {

// The position after the last node of the backward; 0 if there is none.
std::size_t end_of(const std::vector<bool>& is_backward) {
  return static_cast<std::size_t>(is_backward.rend() - std::find(is_backward.rbegin(), is_backward.rend(), true));
}

// Nodes that depend on the backward, and those that run after it: a tuple's items belong to the call that makes the tuple.
std::vector<bool> find_behind(const Graph& step, std::vector<bool> behind, std::size_t end) {
  for (std::size_t i = end; end > 0 && i < step.size(); ++i) {
    if (step.nodes[i].is_call() && !step.nodes[i].calls("operator.getitem")) behind[i] = true;
  }
  return find_dependent(step, std::move(behind));
}

// Among the calls from `end` on: those that use a gradient, what they use, and what uses these.
std::vector<bool> find_optimizer(const Graph& step, const std::vector<bool>& dependent, std::size_t end) {
  std::vector<bool> is_optimizer(step.size(), false);
  const auto spread_to_users = [&] {
    for (std::size_t i = end; i < step.size(); ++i) {
      if (!dependent[i] || step.nodes[i].is_output()) continue;
      for (const NodeId input : step.nodes[i].inputs) {
        const bool is_gradient = index_of(input) < end && dependent[index_of(input)];
        if (is_gradient || is_optimizer[index_of(input)]) is_optimizer[i] = true;
      }
    }
  };
  spread_to_users();
  for (std::size_t i = step.size(); i-- > end;) {
    if (!is_optimizer[i]) continue;
    for (const NodeId input : step.nodes[i].inputs) {
      if (index_of(input) >= end && dependent[index_of(input)]) is_optimizer[index_of(input)] = true;
    }
  }
  spread_to_users();
  return is_optimizer;
}

}  // namespace

std::vector<StepPhase> find_phases(const Graph& step) {
  const std::vector<bool> is_backward = find_backward(step);
  const std::size_t end = end_of(is_backward);
  const std::vector<bool> dependent = find_dependent(step, is_backward), behind = find_behind(step, dependent, end);
  const std::vector<bool> is_optimizer = find_optimizer(step, behind, end);
  const std::vector<bool> is_late = find_late_calls(step, dependent, is_optimizer, end);
  std::vector<StepPhase> phases;
  phases.reserve(step.size());
  StepPhase last = StepPhase::Forward;  // the phase in which the step ends
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool is_forward = !behind[i] || is_late[i] || step.nodes[i].is_output();
    phases.push_back(is_forward ? StepPhase::Forward : is_optimizer[i] ? StepPhase::Optimizer : StepPhase::Backward);
    if (!is_forward) last = phases.back();
  }
  if (!phases.empty()) phases.back() = last;
  return phases;
}

std::vector<NodeId> find_optimizer_states(const Graph& step, const std::vector<StepPhase>& phases) {
  const Users users(step);
  std::vector<NodeId> states;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const auto used_by = users.of(i);
    const bool is_state = step.nodes[i].is_placeholder() && !used_by.empty() &&
                          std::ranges::all_of(used_by, [&](NodeId user) {
                            return phases[index_of(user)] == StepPhase::Optimizer && !step[user].is_output();
                          });
    if (is_state) states.push_back(node_id(i));
  }
  return states;
}

}  // namespace fxcut
