#include "html/page_data.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "show/decision.h"

namespace fxcut {
namespace {

// The page's nodes and their numbers.
class PageOrder {
 public:
  explicit PageOrder(const RunningGraphs& running) : running_(running) {
    if (running.is_step()) {
      add(Side::Forward, running.first(), [](const Node& node) { return !node.meta.is_after_loss(); });
      num_forward_ = nodes_.size();
      add(Side::Forward, running.first(), [](const Node& node) { return node.meta.is_after_loss(); });
    } else {
      add(Side::Forward, running.first(), [](const Node&) { return true; });
      num_forward_ = nodes_.size();
      add(Side::Backward, running.second(), [](const Node&) { return true; });
    }
  }

  std::size_t num_forward() const { return num_forward_; }
  const std::vector<std::pair<Side, NodeId>>& nodes() const { return nodes_; }
  std::size_t number_of(Side side, NodeId id) const { return (side == Side::Forward ? first_ : second_)[index_of(id)]; }

 private:
  void add(Side side, const Graph& graph, const auto& is_chosen) {
    std::vector<std::size_t>& numbers = side == Side::Forward ? first_ : second_;
    numbers.resize(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (!is_chosen(graph.nodes[i])) continue;
      numbers[i] = nodes_.size();
      nodes_.emplace_back(side, node_id(i));
    }
  }

  RunningGraphs running_;
  std::vector<std::pair<Side, NodeId>> nodes_;
  std::vector<std::size_t> first_, second_;  // by node of the two graphs
  std::size_t num_forward_ = 0;
};

// The state by the forward's names; an offloaded value also has its copy's name, and a whole step marks its copies.
PageState state_of(const Node& node, const DecisionNames& decision) {
  if (decision.offloaded.contains(node.name)) return PageState::Offloaded;
  if (decision.saved.contains(node.name)) return PageState::Saved;
  if (node.is_recomputed_copy) return PageState::Recomputed;
  return node.is_call() && decision.recomputed.contains(node.name) ? PageState::Recomputed : PageState::Plain;
}

std::vector<std::size_t> inputs_of(const Node& node, Side side, const PageOrder& order) {
  std::vector<std::size_t> inputs;
  std::unordered_set<std::size_t> seen;
  for (const NodeId input : node.inputs) {
    if (seen.insert(index_of(input)).second) inputs.push_back(order.number_of(side, input));
  }
  return inputs;
}

void add_nodes(const RunningGraphs& running, const PageOrder& order, const DecisionNames& decision, PageData& data) {
  for (const auto& [side, id] : order.nodes()) {
    const Node& node = running.node(side, id);
    PageNode& shown = data.nodes.emplace_back();
    shown.name = node.name;
    shown.op = data.operators.number_of(operator_of(node));
    if (node.provenance) shown.module = data.modules.number_of(node.provenance->module);
    shown.state = state_of(node, decision);
    shown.inputs = inputs_of(node, side, order);
  }
  data.forward_nodes = order.num_forward();
}

void add_memory(const MemoryProfile& memory, const RunningGraphs& running, const PageOrder& order, PageData& data) {
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    const Step& step = memory.steps[s];
    data.steps.push_back(order.number_of(step.side, step.node));
    data.step_bytes.push_back(memory.curve[s].bytes);
    const StepPhase phase = running.phase(step.side, step.node);
    if (phase == StepPhase::Forward && data.forward_steps == s) ++data.forward_steps;
    if (data.phases.empty() || data.phases.back().name != name_of(phase)) data.phases.push_back({name_of(phase), s});
  }
  data.peak_step = memory.peak_step;
  const MemoryKinds kinds(running);
  for (const Allocation& allocation : memory.allocations) {
    if (allocation.owner != Allocation::Owner::Step || allocation.size_bytes == 0) continue;
    PageAllocation& shown = data.allocations.emplace_back();
    shown.node = order.number_of(allocation.side, allocation.node);
    shown.size_bytes = allocation.size_bytes;
    shown.kind = kinds.of(allocation, memory.steps);
    shown.first_step = allocation.first_step;
    if (allocation.last_step != Allocation::kKeptByCaller) shown.last_step = allocation.last_step;
  }
}

// For each name, as a whole step has other positions than its forward.
std::unordered_map<std::string_view, std::size_t> numbers_by_name(const RunningGraphs& running, const PageOrder& order) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  const Graph& graph = running.first();
  for (std::size_t i = 0; i < graph.size(); ++i) numbers.emplace(graph.nodes[i].name, order.number_of(Side::Forward, node_id(i)));
  return numbers;
}

void add_saved(const Report& report, const GraphPair& graphs, const RunningGraphs& running, const PageOrder& order,
               PageData& data) {
  const std::vector<OutputLeaf> outputs = output_leaves(graphs.forward);
  const auto by_name = numbers_by_name(running, order);
  std::vector<std::size_t> inputs;  // of the backward
  for (std::size_t i = 0; i < graphs.backward.size(); ++i) {
    if (graphs.backward.nodes[i].is_placeholder()) inputs.push_back(data.forward_nodes + i);
  }
  for (CrossingRow& row : crossing_rows(report)) {
    PageSaved& saved = data.saved.emplace_back();
    const SavedValue& value = row.value;
    const Provenance& from = value.provenance;
    saved.op = data.operators.number_of(value.op);
    saved.module = data.modules.number_of(from.module);
    saved.dtype = data.dtypes.number_of(value.dtype);
    saved.source = data.sources.number_of(
        from.source_file.empty() ? "" : fmt::format("{}:{}", from.source_file, from.source_line));
    saved.reason = data.reasons.number_of(value.why.reason);
    saved.why = data.whys.number_of(value.why.text);
    if (const auto& node = outputs.at(value.forward_output).node) {
      if (const auto at = by_name.find(graphs.forward[*node].name); at != by_name.end()) saved.forward_node = at->second;
    }
    if (!running.is_step()) saved.backward_node = inputs.at(value.backward_input);
    saved.row = std::move(row);
  }
}

}  // namespace

std::size_t TextTable::number_of(const std::string& text) {
  const auto [found, is_new] = numbers_.emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

PageData page_data(const Report& report, const GraphPair& graphs, const RunningGraphs& running, const MemoryProfile& memory,
                   std::vector<Advice> advice) {
  PageData data;
  data.advice = std::move(advice);
  data.title = report.graph.empty() ? "graph" : report.graph;
  data.headline = headline(report);
  data.lines = saved_lines(report);
  for (TotalLine& line : memory_lines(report)) data.lines.push_back(std::move(line));
  data.totals = report.totals;
  data.memory = report.memory;
  DecisionNames decision = decision_names(report);
  for (const SavedValue& saved : report.saved_values) {
    if (!saved.host_name.empty()) decision.offloaded.insert(saved.host_name);
  }
  const PageOrder order(running);
  add_nodes(running, order, decision, data);
  add_memory(memory, running, order, data);
  add_saved(report, graphs, running, order, data);
  data.modules_held = module_bytes(report);
  return data;
}

}  // namespace fxcut
