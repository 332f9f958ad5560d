#include "peak/step_simulation.h"

#include <algorithm>
#include <tuple>

#include "classify/bodies.h"
#include "finish/random_pairs.h"

namespace fxcut {

bool runs_as_simulated(const JointGraph& joint) {
  const auto is_control_deps = [](const Node& node) { return node.calls(kControlDeps); };
  return !joint.step && std::ranges::none_of(joint.graph.nodes, is_control_deps);
}

StepSimulation::StepSimulation(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages)
    : a_(analysis),
      problem_(problem),
      tensors_(analysis, storages),
      nodes_(analysis),
      item_of_(nodes_.size(), kNoItem),
      form_of_(nodes_.size(), kNoItem),
      recomputed_(nodes_.size()),
      carried_(nodes_.size()),
      compressed_(nodes_.size()),
      state_of_(nodes_.size(), kNowhere),
      form_memory_of_(nodes_.size(), kNowhere) {
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    (problem.items[i].is_form() ? form_of_ : item_of_)[index_of(problem.items[i].node)] = i;
  }
  find_backward_memory();
}

// Runs the backward as if all values of the forward that it needs were saved.
void StepSimulation::find_backward_memory() {
  runs_forward_.assign(item_of_.size(), false);
  copy_of_.assign(item_of_.size(), kNowhere);
  forward_memory_of_.assign(tensors_.size(), kNowhere);
  backward_memory_of_.assign(tensors_.size(), kNowhere);
  run_backward();
  backward_nodes_.assign(steps_.begin(), steps_.end() - 1);
  const auto output = static_cast<BackwardPosition>(steps_.size());
  for (const Memory& memory : memories_) {
    const bool is_given = a_.node(memory.node).is_placeholder();
    const BackwardPosition last = memory.last_step == kToTheEnd ? output : memory.last_step + 1;
    backward_memory_.push_back({memory.bytes, is_given ? 0 : memory.first_step + 1, last});
  }
}

StepSimulation::Result StepSimulation::run(const Evaluation& evaluation, const std::vector<StorageUse>& copied,
                                           const CopyChannel* channel) {
  memories_.clear();
  steps_.clear();
  state_bytes_ = 0;
  for (const StorageCopy& before : copies_) copy_of_[index_of(before.value)] = kNowhere;
  copies_.clear();
  for (const StorageUse& one : copied) {
    copy_of_[index_of(one.value)] = static_cast<std::uint32_t>(copies_.size());
    copies_.push_back({one.value, one.is_form, one.bytes});
  }
  find_calls(evaluation);
  run_forward();
  const std::size_t forward_steps = steps_.size();
  run_backward();
  const double waiting = copies_.empty() ? 0 : run_copies(forward_steps, *channel);
  Result result = add_up(forward_steps);
  result.waiting = waiting;
  return result;
}

void StepSimulation::find_calls(const Evaluation& evaluation) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const ItemIndex item = item_of_[i];
    recomputed_[i] = item != kNoItem && evaluation.is_recomputed(item);
    carried_[i] = item != kNoItem && evaluation.is_saved(item);
    compressed_[i] = form_of_[i] != kNoItem && evaluation.is_saved(form_of_[i]);
    runs_forward_[i] = nodes_[i].required_in_forward || carried_[i] || compressed_[i];
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const StepNode& node = nodes_[i];
    runs_forward_[i] = !node.only_in_backward && !node.is_output && (runs_forward_[i] || node.is_placeholder);
    if (!runs_forward_[i]) continue;
    for (const std::uint32_t input : nodes_.inputs_of(i)) runs_forward_[input] = true;
  }
}

// Whether it runs right after the tuple of which it is an item.
bool StepSimulation::is_raised(std::size_t node) const {
  if (!nodes_[node].is_getitem || compressed_[node]) return false;
  const std::uint32_t tuple = nodes_.inputs_of(node)[0];
  return !carried_[tuple] && runs_in_backward(tuple);
}

// Runs a node, and after it its getitems that run.
void StepSimulation::put(std::size_t node, MemoryOf& memory, bool in_backward, const auto& runs) {
  if (!nodes_[node].is_placeholder) {
    const auto step = static_cast<std::uint32_t>(steps_.size());
    steps_.push_back(node_id(node));
    for (const std::uint32_t input : nodes_.inputs_of(node)) last_use_[input] = step;
    for (const std::uint32_t collective : nodes_.awaited_by(node)) {
      if (!runs(collective)) continue;
      for (const std::uint32_t input : nodes_.inputs_of(collective)) last_use_[input] = step;
    }
  }
  allocate(node, memory, in_backward);
  if (compressed_[node]) make_form(node);
  if (nodes_[node].draws_cpu_numbers && recomputed_[node] && runs_forward_[node]) keep_state(node, in_backward);
  side_nodes_.push_back(node);
  for (const std::uint32_t getitem : nodes_.getitems_of(node)) {
    if (runs(getitem)) put(getitem, memory, in_backward, runs);
  }
}

// Makes the form in which the value crosses, in the forward.
void StepSimulation::make_form(std::size_t node) {
  const auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  const FormOfFewerBits& form = problem_.forms[problem_.items[form_of_[node]].form];
  form_memory_of_[node] = static_cast<std::uint32_t>(memories_.size());
  memories_.push_back({step, step, form.bytes, node_id(node), false, true});
}

// Makes the value again from its form, which is not needed any more.
void StepSimulation::restore(std::size_t node) {
  const auto step = static_cast<std::uint32_t>(steps_.size());
  steps_.push_back(node_id(node));
  memories_[form_memory_of_[node]].last_step = step;
  if (copy_of_[node] != kNowhere) copies_[copy_of_[node]].first_use = step;
  for (TensorIndex t = tensors_.begin(node); t < tensors_.end(node); ++t) {
    backward_memory_of_[t] = static_cast<std::uint32_t>(memories_.size());
    memories_.push_back({step, step, tensors_.own_bytes(tensors_.root(t)), node_id(node), true});
  }
  side_nodes_.push_back(node);
}

void StepSimulation::allocate(std::size_t node, MemoryOf& memory, bool in_backward) {
  const bool is_placeholder = nodes_[node].is_placeholder;  // its caller keeps it
  const auto step = static_cast<std::uint32_t>(is_placeholder ? steps_.size() : steps_.size() - 1);
  for (TensorIndex t = tensors_.begin(node); t < tensors_.end(node); ++t) {
    if (tensors_.shares(t) != kOwnMemory) {
      memory[t] = memory[tensors_.shares(t)];
    } else if (tensors_.own_bytes(t) == 0) {
      memory[t] = kNowhere;
    } else {
      memory[t] = static_cast<std::uint32_t>(memories_.size());
      memories_.push_back({step, is_placeholder ? kToTheEnd : step, tensors_.own_bytes(t), node_id(node), in_backward});
    }
  }
}

// The state is kept from the call in the forward to the same call in the backward.
void StepSimulation::keep_state(std::size_t node, bool in_backward) {
  const auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  if (in_backward) {
    if (state_of_[node] != kNowhere) memories_[state_of_[node]].last_step = step;
    return;
  }
  state_of_[node] = static_cast<std::uint32_t>(memories_.size());
  state_bytes_ += RandomPair::kCpuStateBytes;
  memories_.push_back({step, step, RandomPair::kCpuStateBytes, node_id(node), false});
}

// Looks at each node once: each user of a tuple uses all its tensors.
void StepSimulation::free_after_last_use(const MemoryOf& memory) {
  for (const std::size_t i : side_nodes_) {
    for (TensorIndex t = tensors_.begin(i); t < tensors_.end(i); ++t) {
      if (memory[t] == kNowhere) continue;
      std::uint32_t& last = memories_[memory[t]].last_step;
      last = std::max(last, last_use_[i]);
    }
  }
}

void StepSimulation::run_forward() {
  last_use_.assign(nodes_.size(), 0);
  side_nodes_.clear();
  const auto runs = [&](std::size_t i) { return runs_forward_[i] != 0; };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (runs(i) && !nodes_[i].is_getitem) put(i, forward_memory_of_, false, runs);
  }
  steps_.push_back(node_id(nodes_.size() - 1));  // the output
  for (const std::size_t i : side_nodes_) {
    if (carried_[i] && copy_of_[i] == kNowhere) last_use_[i] = static_cast<std::uint32_t>(steps_.size() - 1);
    if (nodes_[i].returned_by_forward) last_use_[i] = kToTheEnd;
  }
  free_after_last_use(forward_memory_of_);
}

void StepSimulation::run_backward() {
  last_use_.assign(nodes_.size(), 0);
  side_nodes_.clear();
  order_backward();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].only_in_backward && nodes_[i].is_placeholder) {
      allocate(i, backward_memory_of_, true);
    } else if (compressed_[i]) {
      if (copy_of_[i] != kNowhere) take_form_back(i);
      continue;
    } else if (copy_of_[i] != kNowhere) {
      take_back(i);
    } else if (carried_[i] || nodes_[i].is_placeholder) {
      for (TensorIndex t = tensors_.begin(i); t < tensors_.end(i); ++t) backward_memory_of_[t] = forward_memory_of_[t];
    } else {
      continue;
    }
    side_nodes_.push_back(i);
  }
  const auto runs = [&](std::size_t i) { return runs_in_backward(i) && !compressed_[i]; };
  for (const std::size_t i : order_) {
    if (nodes_[i].is_placeholder || is_raised(i)) continue;
    if (compressed_[i]) restore(i);
    else put(i, backward_memory_of_, true, runs);
  }
  steps_.push_back(node_id(nodes_.size() - 1));  // the output
  for (const std::size_t i : side_nodes_) {
    if (nodes_[i].returned_by_backward) last_use_[i] = kToTheEnd;
  }
  free_after_last_use(backward_memory_of_);
}

// The copy back takes memory of its own; run_copies() will set when.
void StepSimulation::take_back(std::size_t node) {
  StorageCopy& copy = copies_[copy_of_[node]];
  const TensorIndex tensor = tensors_.begin(node);
  copy.forward = forward_memory_of_[tensor];
  if (copy.forward == kNowhere) {
    backward_memory_of_[tensor] = kNowhere;
    return;
  }
  copy.backward = backward_memory_of_[tensor] = static_cast<std::uint32_t>(memories_.size());
  const auto step = static_cast<std::uint32_t>(steps_.size());
  memories_.push_back({step, step, memories_[copy.forward].bytes, node_id(node), true});
}

// The same for the form of its value.
void StepSimulation::take_form_back(std::size_t node) {
  StorageCopy& copy = copies_[copy_of_[node]];
  copy.forward = form_memory_of_[node];
  copy.backward = form_memory_of_[node] = static_cast<std::uint32_t>(memories_.size());
  const auto step = static_cast<std::uint32_t>(steps_.size());
  memories_.push_back({step, step, memories_[copy.forward].bytes, node_id(node), true, true});
}

double StepSimulation::run_copies(std::size_t forward_steps, const CopyChannel& channel) {
  for (std::size_t s = steps_.size() - 1; s-- > forward_steps;) {
    for (const std::uint32_t input : nodes_.inputs_of(index_of(steps_[s]))) {
      if (copy_of_[input] == kNowhere || copies_[copy_of_[input]].is_form) continue;
      copies_[copy_of_[input]].first_use = static_cast<std::uint32_t>(s);
    }
  }
  return place_copies(copies_, {steps_, forward_steps}, channel, memories_);
}

// By node of the forward that is restored: its first user in the backward's graph, before which it is restored
// (quantize/cross_compressed.h).
void StepSimulation::find_users_of_restored() {
  if (problem_.forms.empty()) return;
  restored_before_.assign(nodes_.size(), kNowhere);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (!nodes_[i].is_output && (!runs_in_backward(i) || compressed_[i])) continue;
    for (const std::uint32_t input : nodes_.inputs_of(i)) restored_before_[input] = static_cast<std::uint32_t>(i);
  }
}

// According to finish/execution_order.h.
void StepSimulation::order_backward() {
  find_users_of_restored();
  is_inserted_.assign(nodes_.size(), false);
  order_.clear();
  std::size_t first = 0;
  while (first < nodes_.size() && !(nodes_[first].uses_gradient && runs_in_backward(first))) ++first;
  if (first == nodes_.size()) first = 0;
  for (std::size_t i = 0; i < first; ++i) {
    if (runs_in_backward(i) && (nodes_[i].is_placeholder || nodes_[i].is_copy)) insert(i);
  }
  for (std::size_t i = first; i < nodes_.size(); ++i) {
    if (runs_in_backward(i)) insert(i);
  }
  for (std::size_t i = 0; i < first; ++i) {  // recomputed values that are returned
    if (nodes_[i].returned_by_backward && runs_in_backward(i)) open_.push_back(i);
  }
  insert_open();
}

void StepSimulation::insert(std::size_t node) {
  open_.push_back(node);
  insert_open();
}

// Appends the open nodes to order_, and before them the inputs that are still missing, in the order of the graph.
void StepSimulation::insert_open() {
  const std::size_t begin = order_.size();
  while (!open_.empty()) {
    const std::size_t i = open_.back();
    open_.pop_back();
    if (is_inserted_[i]) continue;
    is_inserted_[i] = true;
    if (!runs_in_backward(i)) continue;  // it was saved
    order_.push_back(i);
    if (compressed_[i]) continue;
    for (const std::uint32_t input : nodes_.inputs_of(i)) open_.push_back(input);
  }
  const auto position = [&](std::size_t i) {
    return compressed_[i] ? std::tuple(std::size_t{restored_before_[i]}, 0, i) : std::tuple(i, 1, i);
  };
  if (restored_before_.empty()) std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end());
  else std::ranges::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.end(), {}, position);
}

StepSimulation::Result StepSimulation::add_up(std::size_t forward_steps) {
  in_use_.begin(steps_.size());
  for (const Memory& memory : memories_) in_use_.add(memory.bytes, memory.first_step, memory.last_step);
  const auto [bytes, step] = in_use_.add_up();
  return {.peak_bytes = bytes, .peak_step = step, .forward_steps = forward_steps};
}

std::vector<StepSimulation::InUse> StepSimulation::in_use_at(std::size_t step) const {
  std::vector<InUse> found;
  for (const Memory& memory : memories_) {
    if (step < memory.first_step || step > memory.last_step) continue;
    found.push_back({memory.node, memory.bytes, memory.in_backward, memory.is_form});
  }
  return found;
}

}  // namespace fxcut
