#include "html/page_data.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "show/decision.h"

namespace fxcut {
namespace {

// By the forward's names; an offloaded value also has that of its copy.
PageState state_of(const Node& node, const DecisionNames& decision) {
  if (decision.offloaded.contains(node.name)) return PageState::Offloaded;
  if (decision.saved.contains(node.name)) return PageState::Saved;
  return node.is_call() && decision.recomputed.contains(node.name) ? PageState::Recomputed : PageState::Plain;
}

std::vector<std::size_t> inputs_of(const Node& node, std::size_t first) {
  std::vector<std::size_t> inputs;
  std::unordered_set<std::size_t> seen;
  for (const NodeId input : node.inputs) {
    if (seen.insert(index_of(input)).second) inputs.push_back(first + index_of(input));
  }
  return inputs;
}

void add_nodes(const Graph& graph, const DecisionNames& decision, PageData& data) {
  const std::size_t first = data.nodes.size();
  for (const Node& node : graph.nodes) {
    PageNode& shown = data.nodes.emplace_back();
    shown.name = node.name;
    shown.op = data.operators.number_of(operator_of(node));
    if (node.provenance) shown.module = data.modules.number_of(node.provenance->module);
    shown.state = state_of(node, decision);
    shown.inputs = inputs_of(node, first);
  }
}

void add_memory(const MemoryProfile& memory, const GraphPair& graphs, PageData& data) {
  const auto node_at = [&](Side side, NodeId id) {
    return index_of(id) + (side == Side::Forward ? 0 : data.forward_nodes);
  };
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    const Step& step = memory.steps[s];
    data.steps.push_back(node_at(step.side, step.node));
    data.step_bytes.push_back(memory.curve[s].bytes);
    if (step.side == Side::Forward) ++data.forward_steps;
  }
  data.peak_step = memory.peak_step;
  const MemoryKinds kinds(graphs);
  for (const Allocation& allocation : memory.allocations) {
    if (allocation.owner != Allocation::Owner::Step || allocation.size_bytes == 0) continue;
    PageAllocation& shown = data.allocations.emplace_back();
    shown.node = node_at(allocation.side, allocation.node);
    shown.size_bytes = allocation.size_bytes;
    shown.kind = kinds.of(allocation, memory.steps);
    shown.first_step = allocation.first_step;
    if (allocation.last_step != Allocation::kKeptByCaller) shown.last_step = allocation.last_step;
  }
}

void add_saved(const Report& report, const GraphPair& graphs, PageData& data) {
  const std::vector<OutputLeaf> outputs = output_leaves(graphs.forward);
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
    if (outputs.at(value.forward_output).node) saved.forward_node = index_of(*outputs[value.forward_output].node);
    saved.backward_node = inputs.at(value.backward_input);
    saved.row = std::move(row);
  }
}

}  // namespace

std::size_t TextTable::number_of(const std::string& text) {
  const auto [found, is_new] = numbers_.emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

PageData page_data(const Report& report, const GraphPair& graphs, const MemoryProfile& memory, std::vector<Advice> advice) {
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
  add_nodes(graphs.forward, decision, data);
  data.forward_nodes = data.nodes.size();
  add_nodes(graphs.backward, decision, data);
  add_memory(memory, graphs, data);
  add_saved(report, graphs, data);
  data.modules_held = module_bytes(report);
  return data;
}

}  // namespace fxcut
