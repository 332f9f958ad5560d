#include "peak/backward_with_drops.h"

#include <algorithm>
#include <utility>

#include "classify/purity.h"

namespace fxcut {
namespace {

// Whether the same call in another place of the backward gives the same value, of its own.
bool may_run_again(const Node& node) {
  return node.is_call() && node.has_tensor() && node.callee->is_overload() && !draws_numbers(node) && !is_random(node) &&
         !is_impure(node) && !node.callee->is_collective();
}

void add_once(std::vector<std::uint32_t>& list, std::uint32_t one) {
  if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

}  // namespace

BackwardWithDrops::BackwardWithDrops(const Analysis& analysis, const RecomputeProblem& problem,
                                     const StepSimulation& simulation, const Evaluation& evaluation, std::size_t forward_steps)
    : local_(analysis.graph().size(), kNone), forward_steps_(forward_steps), memories_(simulation.memories()),
      is_droppable_(memories_.size(), false), cost_of_(memories_.size(), 0) {
  for (std::size_t s = 0; s < forward_steps; ++s) forward_peak_ = std::max(forward_peak_, simulation.bytes()[s]);
  const std::vector<NodeId>& steps = simulation.steps();
  for (std::size_t s = forward_steps; s + 1 < steps.size(); ++s) {
    for (const NodeId input : analysis.node(steps[s]).inputs) local_of(input, simulation);
    steps_.push_back(local_of(steps[s], simulation));
    for (const NodeId input : analysis.node(steps[s]).inputs) add_once(nodes_[steps_.back()].inputs, local_[index_of(input)]);
  }
  last_droppable_ = static_cast<std::uint32_t>(steps_.size());
  for (std::uint32_t s = 0; s < last_droppable_; ++s) {
    if (is_mutation(analysis.node(nodes_[steps_[s]].node))) last_droppable_ = s;
  }
  find_droppable(analysis, problem, simulation, evaluation);
  find_fixed_bytes();
}

BackwardWithDrops::Local BackwardWithDrops::local_of(NodeId node, const StepSimulation& simulation) {
  Local& local = local_[index_of(node)];
  if (local != kNone) return local;
  local = static_cast<Local>(nodes_.size());
  LocalNode added;
  added.node = node;
  const TensorMemory& tensors = simulation.tensors();
  for (TensorIndex t = tensors.begin(index_of(node)); t < tensors.end(index_of(node)); ++t) {
    if (simulation.backward_memory_of(t) != kNone) add_once(added.fixed, simulation.backward_memory_of(t));
  }
  nodes_.push_back(std::move(added));
  return local;
}

// Whether it is a view of an input in the same memory.
bool BackwardWithDrops::is_view(const LocalNode& node) const {
  return std::ranges::any_of(node.inputs, [&](Local input) { return nodes_[input].fixed == node.fixed; });
}

void BackwardWithDrops::find_droppable(const Analysis& analysis, const RecomputeProblem& problem,
                                       const StepSimulation& simulation, const Evaluation& evaluation) {
  std::vector<bool> may_drop(memories_.size());
  for (std::size_t m = 0; m < may_drop.size(); ++m) {
    const bool is_callers = memories_[m].last_step == SimulatedMemory::kNowhere;
    may_drop[m] = memories_[m].in_backward && memories_[m].bytes > 0 && !is_callers;
  }
  for (const LocalNode& node : nodes_) {
    const ItemIndex item = simulation.item_of(node.node);
    const bool is_recomputed = item != kNoItem && evaluation.is_recomputed(item);
    const bool is_from_memory = node.fixed.size() == 1 && (memories_[node.fixed.front()].node == node.node || is_view(node));
    if (is_recomputed && is_from_memory && may_run_again(analysis.node(node.node))) continue;
    for (const std::uint32_t memory : node.fixed) may_drop[memory] = false;
  }
  for (LocalNode& node : nodes_) {
    const ItemIndex item = simulation.item_of(node.node);
    if (item != kNoItem) node.run_cost = problem.items[item].run_cost;
    node.is_recomputed = item != kNoItem && evaluation.is_recomputed(item);
    if (node.fixed.size() != 1 || !may_drop[node.fixed.front()]) continue;
    node.memory = node.fixed.front();
    is_droppable_[node.memory] = true;
    node.makes_it = memories_[node.memory].node == node.node;
    if (node.makes_it) cost_of_[node.memory] = node.run_cost;
    node.fixed.clear();
  }
}

void BackwardWithDrops::find_fixed_bytes() {
  BytesInUse fixed(steps_.size());
  for (std::size_t m = 0; m < memories_.size(); ++m) {
    const SimulatedMemory& memory = memories_[m];
    if (is_droppable_[m] || memory.last_step < forward_steps_) continue;
    const std::size_t first = std::max<std::size_t>(memory.first_step, forward_steps_) - forward_steps_;
    if (first >= steps_.size()) continue;
    fixed.add(memory.bytes, first, memory.last_step - forward_steps_);
  }
  fixed_bytes_ = std::move(fixed).sums();
}

void BackwardWithDrops::begin_run() {
  instance_of_.assign(nodes_.size(), kNone);
  current_.assign(memories_.size(), kNone);
  used_until_.assign(memories_.size(), 0);
  instances_.clear();
  begins_.clear();
  node_at_.clear();
  again_.clear();
  run_cost_ = 0;
}

void BackwardWithDrops::run(std::span<const Drop> drops) {
  begin_run();
  auto next = drops.begin();
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    begins_.push_back(static_cast<std::uint32_t>(node_at_.size()));
    for (const Local input : nodes_[steps_[s]].inputs) bring_back(input, s);
    for (; next != drops.end() && next->step == s; ++next) drop(next->memory, s);
    execute(steps_[s], s);
  }
  begins_.push_back(static_cast<std::uint32_t>(node_at_.size()));
  add_up();
}

std::optional<std::vector<Drop>> BackwardWithDrops::run_by(const DropRule& rule, std::size_t most) {
  begin_run();
  std::vector<Drop> drops;
  needed_bytes_ = 0;
  needed_until_.assign(steps_.size() + 1, 0);
  std::size_t seen = 0;  // instances
  for (std::uint32_t s = 0; s < steps_.size(); ++s) {
    begins_.push_back(static_cast<std::uint32_t>(node_at_.size()));
    for (const Local input : nodes_[steps_[s]].inputs) bring_back(input, s);
    if (!nodes_[steps_[s]].is_recomputed && seen < instances_.size() && s < last_droppable_) {
      for (const std::uint32_t memory : rule(just_recomputed(s, seen))) {
        if (uses(steps_[s], memory)) continue;
        drops.push_back({s, memory});
        drop_needed(memory, s);
      }
      seen = instances_.size();
    }
    execute(steps_[s], s);
    needed_bytes_ -= needed_until_[s];
    if (again_.size() > most) return std::nullopt;
  }
  begins_.push_back(static_cast<std::uint32_t>(node_at_.size()));
  add_up();
  return drops;
}

JustRecomputed BackwardWithDrops::just_recomputed(std::uint32_t step, std::size_t first_instance) {
  JustRecomputed now;
  now.bytes_besides = fixed_bytes_[step] + needed_bytes_;
  for (std::size_t i = first_instance; i < instances_.size(); ++i) {
    const Instance& made = instances_[i];
    const SimulatedMemory& memory = memories_[made.memory];
    const bool is_needed = current_[made.memory] == i && memory.last_step > forward_steps_ + step;
    now.made.push_back({made.memory, memory.bytes, made.first, made.last, is_needed});
    if (!is_needed) continue;
    needed_bytes_ += memory.bytes;
    needed_until_[std::min<std::size_t>(memory.last_step - forward_steps_, steps_.size())] += memory.bytes;
  }
  return now;
}

void BackwardWithDrops::drop_needed(std::uint32_t memory, std::uint32_t step) {
  drop(memory, step);
  needed_bytes_ -= memories_[memory].bytes;
  needed_until_[std::min<std::size_t>(memories_[memory].last_step - forward_steps_, steps_.size())] -= memories_[memory].bytes;
}

bool BackwardWithDrops::is_there(Local node, std::uint32_t step) const {
  const std::uint32_t memory = nodes_[node].memory;
  if (memory == kNone) return true;
  const std::uint32_t instance = instance_of_[node];
  if (instance == kNone || instance != current_[memory]) return false;
  return instances_[instance].step == step || memories_[memory].last_step >= forward_steps_ + step;
}

bool BackwardWithDrops::uses(Local node, std::uint32_t memory) const {
  if (nodes_[node].memory == memory) return true;
  return std::ranges::any_of(nodes_[node].inputs, [&](Local input) { return nodes_[input].memory == memory; });
}

void BackwardWithDrops::drop(std::uint32_t memory, std::uint32_t step) {
  if (step < last_droppable_ && !uses(steps_[step], memory)) current_[memory] = kNone;
}

// Recomputes it, after its missing inputs.
void BackwardWithDrops::bring_back(Local wanted, std::uint32_t step) {
  if (is_there(wanted, step)) return;
  std::vector<std::pair<Local, std::size_t>> open{{wanted, 0}};  // with how many of its inputs are there
  while (!open.empty()) {
    auto& [node, inputs_there] = open.back();
    if (inputs_there == nodes_[node].inputs.size()) {
      run_again(node, step);
      open.pop_back();
    } else if (const Local input = nodes_[node].inputs[inputs_there++]; !is_there(input, step)) {
      open.emplace_back(input, 0);
    }
  }
}

void BackwardWithDrops::run_again(Local node, std::uint32_t step) {
  const auto position = static_cast<std::uint32_t>(node_at_.size());
  for (const Local input : nodes_[node].inputs) {
    for (const std::uint32_t memory : nodes_[input].fixed) used_until_[memory] = position;
  }
  execute(node, step);
  again_.push_back({nodes_[node].node, nodes_[steps_[step]].node});
  run_cost_ += nodes_[node].run_cost;
}

void BackwardWithDrops::execute(Local node, std::uint32_t step) {
  const auto position = static_cast<std::uint32_t>(node_at_.size());
  node_at_.push_back(node);
  const LocalNode& at = nodes_[node];
  for (const Local input : at.inputs) {
    if (nodes_[input].memory != kNone) instances_[instance_of_[input]].last = position;
  }
  if (at.memory == kNone) return;
  if (at.makes_it) {
    current_[at.memory] = static_cast<std::uint32_t>(instances_.size());
    instances_.push_back({at.memory, position, position, step});
  }
  instance_of_[node] = current_[at.memory];
  instances_[instance_of_[node]].last = position;
}

void BackwardWithDrops::add_up() {
  const std::size_t positions = node_at_.size();
  in_use_.begin(positions);
  const auto own = [&](std::size_t step) -> std::size_t {  // the position of its node
    if (step < forward_steps_) return 0;
    return step - forward_steps_ >= steps_.size() ? positions : begins_[step - forward_steps_ + 1] - 1;
  };
  for (std::size_t m = 0; m < memories_.size(); ++m) {
    if (is_droppable_[m] || memories_[m].last_step < forward_steps_) continue;
    const SimulatedMemory& memory = memories_[m];
    in_use_.add(memory.bytes, own(memory.first_step), std::max<std::size_t>(own(memory.last_step), used_until_[m]));
  }
  for (const Instance& instance : instances_) in_use_.add(memories_[instance.memory].bytes, instance.first, instance.last);
  const auto [bytes, position] = in_use_.add_up({forward_peak_, 0});
  peak_bytes_ = bytes;
  peak_at_ = static_cast<std::uint32_t>(position);
  const auto after = std::ranges::upper_bound(begins_, peak_at_);
  peak_step_ = static_cast<std::uint32_t>(after - begins_.begin()) - 1;
}

Int128 BackwardWithDrops::most_at(std::uint32_t step) const {
  const auto begin = in_use_.bytes().begin();
  return *std::max_element(begin + begins_[step], begin + begins_[step + 1]);
}

std::vector<std::uint32_t> BackwardWithDrops::droppable_at_peak() const {
  std::vector<std::uint32_t> found;
  if (peak_step_ >= last_droppable_) return found;
  for (const Instance& instance : instances_) {
    const bool is_in_use = instance.first < peak_at_ && peak_at_ < instance.last;
    if (is_in_use && !uses(node_at_[peak_at_], instance.memory)) found.push_back(instance.memory);
  }
  std::ranges::stable_sort(found, [&](std::uint32_t a, std::uint32_t b) {
    return static_cast<double>(memories_[a].bytes) * static_cast<double>(cost_of_[b] + 1) >
           static_cast<double>(memories_[b].bytes) * static_cast<double>(cost_of_[a] + 1);
  });
  return found;
}

}  // namespace fxcut
