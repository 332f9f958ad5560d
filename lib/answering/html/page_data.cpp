#include "html/page_data.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "html/page_order.h"
#include "show/decision_names.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// The state by the forward's names; an offloaded or compressed value also has the name of what crosses, and a whole step marks
// its copies.
PageState state_of(const Node& node, const DecisionNames& decision) {
  if (decision.offloaded.contains(node.name)) return PageState::Offloaded;
  if (decision.compressed.contains(node.name)) return PageState::Compressed;
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

void add_nodes(const PageOrder& order, const DecisionNames& decision, PageTexts& texts, PageDecision& data) {
  for (const auto& [side, id] : order.nodes()) {
    const Node& node = order.running().node(side, id);
    PageNode& shown = data.nodes.emplace_back();
    shown.name = texts.names.number_of(node.name);
    shown.op = texts.operators.number_of(operator_of(node));
    if (node.provenance) shown.module = texts.modules.number_of(node.provenance->module);
    shown.state = state_of(node, decision);
    shown.inputs = inputs_of(node, side, order);
  }
  data.forward_nodes = order.num_forward();
}

void add_saved(const Report& report, const GraphPair& graphs, const PageOrder& order, PageTexts& texts, PageDecision& data) {
  const std::vector<OutputLeaf> outputs = output_leaves(graphs.forward);
  const auto by_name = order.numbers_by_name();
  std::vector<std::size_t> inputs;  // of the backward
  for (std::size_t i = 0; i < graphs.backward.size(); ++i) {
    if (graphs.backward.nodes[i].is_placeholder()) inputs.push_back(data.forward_nodes + i);
  }
  for (CrossingRow& row : crossing_rows(report)) {
    PageSaved& saved = data.saved.emplace_back();
    const SavedValue& value = row.value;
    const Provenance& from = value.provenance;
    saved.op = texts.operators.number_of(value.op);
    saved.module = texts.modules.number_of(from.module);
    saved.dtype = texts.dtypes.number_of(value.dtype);
    if (value.compressed) saved.form = texts.dtypes.number_of(show_form(*value.compressed));
    saved.source = texts.sources.number_of(
        from.source_file.empty() ? "" : fmt::format("{}:{}", from.source_file, from.source_line));
    saved.reason = texts.reasons.number_of(value.why.reason);
    saved.why = texts.whys.number_of(value.why.text);
    if (const auto& node = outputs.at(value.forward_output).node) {
      if (const auto at = by_name.find(graphs.forward[*node].name); at != by_name.end()) saved.forward_node = at->second;
    }
    if (!order.running().is_step()) saved.backward_node = inputs.at(value.backward_input);
    saved.row = std::move(row);
  }
}

PageDecision page_decision(const ShownDecision& shown, PageTexts& texts) {
  const Partition& made = shown.partition;
  const Report& report = made.report;
  PageDecision data;
  data.peak = show_scaled(report.memory.counted_peak_bytes(), "B");
  data.held = show_bytes(report.totals.held_bytes());
  data.more_time = shown.more_time;
  data.command = shown.command;
  data.headline = headline(report);
  data.lines = saved_lines(report);
  for (TotalLine& line : memory_lines(report)) data.lines.push_back(std::move(line));
  data.totals = report.totals;
  data.static_bytes = report.memory.static_bytes;
  data.input_bytes = report.memory.input_bytes;
  DecisionNames decision = decision_names(report);
  for (const SavedValue& saved : report.saved_values) {
    if (!saved.host_name.empty()) decision.offloaded.insert(saved.host_name);
  }
  const PageOrder order(made.running());
  add_nodes(order, decision, texts, data);
  if (made.compiled && !made.step) {
    if (auto curve = code_curve(*made.compiled, made.graphs, order)) data.curves.push_back(*std::move(curve));
  }
  data.curves.push_back(operators_curve(made.memory, order));
  add_saved(report, made.graphs, order, texts, data);
  data.modules_held = module_bytes(report);
  return data;
}

}  // namespace

std::size_t TextTable::number_of(const std::string& text) {
  const auto [found, is_new] = numbers_.emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  return found->second;
}

PageData page_data(const std::vector<ShownDecision>& decisions, std::vector<Advice> advice) {
  PageData data;
  const Report& made = decisions.front().partition.report;
  data.title = made.graph.empty() ? "graph" : made.graph;
  data.advice = std::move(advice);
  for (const ShownDecision& decision : decisions) data.decisions.push_back(page_decision(decision, data.texts));
  return data;
}

}  // namespace fxcut
