#include "peak/unavoidable.h"

#include <algorithm>
#include <utility>

#include "memory/bytes_in_use.h"

namespace fxcut {

std::vector<Span> find_uses(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation,
                            BackwardPosition after) {
  std::vector<Span> uses(problem.items.size(), kUnused);
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t p = after; p < nodes.size(); ++p) {
    for (const NodeId input : analysis.node(nodes[p]).inputs) {
      const ItemIndex item = simulation.item_of(input);
      if (item == kNoItem) continue;
      const auto position = static_cast<BackwardPosition>(p + 1);
      uses[item] = {std::min(uses[item].first, position), std::max(uses[item].last, position)};
      if (const ItemIndex form = simulation.form_of(item); form != kNoItem) uses[form] = uses[item];
    }
  }
  return uses;
}

namespace {

// By item, the first position at which the backward may need it.
std::vector<BackwardPosition> find_first_needs(const RecomputeProblem& problem, const std::vector<Span>& uses) {
  std::vector<BackwardPosition> need;
  for (const Span& of_item : uses) need.push_back(of_item.first);
  for (ItemIndex i = static_cast<ItemIndex>(problem.items.size()); i-- > 0;) {
    if (problem.items[i].never != Ban::None) continue;
    for (const ItemIndex input : problem.inputs_of(i)) need[input] = std::min(need[input], need[i]);
  }
  return need;
}

// Spans in order that do not overlap and cover the same positions.
std::vector<Span> joined(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::first);
  std::vector<Span> found;
  for (const Span& span : spans) {
    if (found.empty() || span.first > found.back().last + 1) found.push_back(span);
    else found.back().last = std::max(found.back().last, span.last);
  }
  return found;
}

// The positions from `begin` to before `end` outside the spans.
std::vector<Span> rest_between(BackwardPosition begin, BackwardPosition end, const std::vector<Span>& spans) {
  std::vector<Span> rest;
  BackwardPosition next = begin;
  for (const Span& span : spans) {
    if (next >= end) break;
    if (span.first > next) rest.push_back({next, std::min(span.first, end) - 1});
    next = std::max(next, span.last + 1);
  }
  if (next < end) rest.push_back({next, end - 1});
  return rest;
}

// By storage, the memory of a value in it, the least of several. Of storages that an operator puts into the same memory, only
// the first has any, so that it is counted once.
std::vector<std::int64_t> find_memory(const RecomputeProblem& problem, const TensorMemory& tensors) {
  std::vector<std::int64_t> memory(problem.storages.size(), 0);
  std::vector<bool> is_known(memory.size(), false), is_of_another(memory.size(), false);
  std::vector<StorageIndex> first_in(tensors.size(), kNoStorage);  // by tensor that allocates memory
  for (const Item& item : problem.items) {
    const StorageIndex s = item.storage;
    if (!item.has_storage()) continue;
    if (item.is_form()) {
      memory[s] = problem.forms[item.form].bytes;
      continue;
    }
    const std::int64_t bytes = tensors.bytes_of(item.node);
    memory[s] = is_known[s] ? std::min(memory[s], bytes) : bytes;
    is_known[s] = true;
    for (TensorIndex t = tensors.begin(index_of(item.node)); t < tensors.end(index_of(item.node)); ++t) {
      StorageIndex& first = first_in[tensors.root(t)];
      if (first == kNoStorage) first = s;
      if (first != s) is_of_another[s] = true;
    }
  }
  for (StorageIndex s = 0; s < memory.size(); ++s) {
    if (is_of_another[s]) memory[s] = 0;
  }
  return memory;
}

}  // namespace

Unavoidable find_unavoidable(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation,
                             BackwardPosition from) {
  const std::size_t count = simulation.backward_nodes().size() + 2;
  const auto output = static_cast<BackwardPosition>(count - 1);
  const std::vector<Span> uses = find_uses(problem, analysis, simulation, 0);
  const std::vector<BackwardPosition> need = find_first_needs(problem, find_uses(problem, analysis, simulation, from));
  const std::size_t storages = problem.storages.size();
  Unavoidable found;
  found.from = from;
  found.memory = find_memory(problem, simulation.tensors());
  found.kept.resize(storages);
  std::vector<std::vector<Span>> in_use(storages);            // in use whatever is decided
  std::vector<BackwardPosition> until(storages, kNever);     // in use until then if kept
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (!item.has_storage()) continue;
    until[item.storage] = std::min(until[item.storage], need[i]);
    if (item.is_form()) continue;  // in use until the value is restored, at its first use
    if (simulation.is_forward_output(item.node)) in_use[item.storage].push_back({0, output});
    if (uses[i].first != kNever) in_use[item.storage].push_back(uses[i]);
  }
  BytesInUse own(count), all(count);
  for (const auto& memory : simulation.backward_memory()) own.add(memory.bytes, memory.first, memory.last);
  for (std::size_t s = 0; s < storages; ++s) {
    const std::vector<Span> spans = joined(std::move(in_use[s]));
    for (const Span& span : spans) all.add(found.memory[s], span.first, span.last);
    found.is_needed.push_back(until[s] != kNever);
    // A value that is only returned, as a gradient, is in use to the end.
    BackwardPosition end = spans.empty() ? output : spans.back().last;
    if (found.is_needed[s]) end = spans.empty() ? until[s] : std::max(end, until[s]);
    found.kept[s] = rest_between(from, end, spans);
  }
  found.own_bytes = std::move(own).sums();
  found.bytes = std::move(all).sums();
  for (std::size_t p = 0; p < count; ++p) found.bytes[p] += found.own_bytes[p];
  return found;
}

std::int64_t beyond_limit(const RecomputeProblem& problem, const Unavoidable& unavoidable) {
  std::int64_t inputs = 0;
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    inputs += std::max<std::int64_t>(0, problem.storages[s].bytes - unavoidable.memory[s]);
  }
  return inputs - static_cast<std::int64_t>(unavoidable.own_bytes.front());
}

std::vector<Int128> kept_by_position(const Unavoidable& unavoidable, const KeptStorages& kept) {
  BytesInUse positions(unavoidable.positions());
  for (std::size_t s = 1; s < kept.size(); ++s) {
    if (!kept[s]) continue;
    for (const Span& span : unavoidable.kept[s]) positions.add(unavoidable.memory[s], span.first, span.last);
  }
  return std::move(positions).sums();
}

namespace {

// Calls `visit` with the position and the step of every node that runs in the backward: recomputed values run before the node
// that needs them, at its position.
void for_each_step(const StepSimulation& simulation, const StepSimulation::Result& result, const auto& visit) {
  std::size_t position = 1;
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t step = result.forward_steps; step < simulation.steps().size(); ++step) {
    visit(position, step);
    if (position <= nodes.size() && simulation.steps()[step] == nodes[position - 1]) ++position;
  }
}

}  // namespace

std::vector<Int128> most_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                     const StepSimulation::Result& result) {
  std::vector<Int128> most(unavoidable.positions(), 0);
  most[0] = simulation.bytes()[result.forward_steps - 1];
  for_each_step(simulation, result, [&](std::size_t position, std::size_t step) {
    most[position] = std::max(most[position], simulation.bytes()[step]);
  });
  return most;
}

std::vector<Int128> run_cost_by_position(const Evaluation& evaluation, const RecomputeProblem& problem,
                                         const StepSimulation& simulation, const StepSimulation::Result& result) {
  std::vector<Int128> cost(simulation.backward_nodes().size() + 2, 0);
  for_each_step(simulation, result, [&](std::size_t position, std::size_t step) {
    const ItemIndex item = simulation.item_of(simulation.steps()[step]);
    if (item != kNoItem && evaluation.is_recomputed(item)) cost[position] += problem.items[item].run_cost;
  });
  return cost;
}

std::vector<Int128> recomputed_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                           const StepSimulation::Result& result, const KeptStorages& used) {
  std::vector<Int128> most = most_by_position(unavoidable, simulation, result);
  const std::vector<Int128> kept = kept_by_position(unavoidable, used);
  for (std::size_t p = 0; p < most.size(); ++p) most[p] = std::max<Int128>(0, most[p] - unavoidable.bytes[p] - kept[p]);
  return most;
}

Int128 least_backward_peak(const Unavoidable& unavoidable, const Fixings& fixings) {
  KeptStorages certain;
  for (const Fixing fixing : fixings) certain.push_back(fixing == Fixing::Kept);
  const std::vector<Int128> kept = kept_by_position(unavoidable, certain);
  Int128 most = 0;
  for (std::size_t p = 0; p < kept.size(); ++p) most = std::max(most, kept[p] + unavoidable.bytes[p]);
  return most;
}

}  // namespace fxcut
