#include "compiled/operators_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "diagnostic/diagnostic.h"
#include "import/import.h"
#include "json/document.h"
#include "partition/partition.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

// The log's joint graphs in order, without damaged records.
std::vector<ImportOutcome> joint_graphs(std::string_view text, const std::string& file) {
  ImportRequest request;
  request.format = ImportFormat::Trace;
  std::vector<ImportOutcome> outcomes = import_each(text, file, request);
  std::erase_if(outcomes, [](const ImportOutcome& outcome) { return outcome.name.starts_with("record_in_line_"); });
  return outcomes;
}

SavedValue row_of(const Node& node) {
  SavedValue row;
  row.name = node.name;
  row.op = operator_of(node);
  if (!node.has_tensor()) return row;
  row.dtype = node.value->tensor.dtype->name;
  row.shape = node.value->tensor.shape;
  return row;
}

// The decision of the code: the saved values, by their names in the backward.
Report decision_of(const JointGraph& joint, const std::vector<std::string>& saved, Report like) {
  std::unordered_map<std::string_view, const Node*> nodes;
  for (const Node& node : joint.graph.nodes) nodes.emplace(node.name, &node);
  like.saved_values.clear();
  like.saved_symbols.clear();
  for (const std::string& name : saved) {
    const auto found = nodes.find(name);
    if (found == nodes.end()) throw Failure(ExitStatus::BadInput, fmt::format("'{}' is saved, and not in the joint graph", name));
    const bool is_symbol = found->second->has_symbol();
    (is_symbol ? like.saved_symbols : like.saved_values).push_back(row_of(*found->second));
  }
  return like;
}

OperatorsMemory operators_memory(const std::string& json, const std::vector<std::string>& saved) {
  const JointGraph joint = read_joint_graph(*Document::parse(json, "the joint graph"));
  Settings of_operators;
  of_operators.memory_of = MemoryOf::Operators;
  const Report usual = partition(joint, of_operators).report;
  const MemoryReport memory = replay(joint, decision_of(joint, saved, usual)).report.memory;
  return {memory.peak_bytes, memory.forward_peak_bytes, memory.between_bytes, memory.backward_peak_bytes};
}

}  // namespace

void add_operators(std::vector<StepMemory>& steps, const std::string& file, std::string_view text) {
  std::vector<ImportOutcome> graphs;
  for (StepMemory& step : steps) {
    if (step.file != file || !step.joint || !step.has_forward || !step.has_backward) continue;
    try {
      if (graphs.empty()) graphs = joint_graphs(text, file);
      if (*step.joint >= graphs.size()) throw Failure(ExitStatus::BadInput, "the log's joint graphs cannot be distinguished");
      const ImportOutcome& graph = graphs[*step.joint];
      if (graph.failure) throw *graph.failure;
      step.operators = operators_memory(graph.graph->json, step.saved);
    } catch (const Failure& failure) {
      const Diagnostic& first = failure.diagnostics().front();
      step.notes.push_back({0, fmt::format("not known: what it takes operator by operator: {}", first.message)});
    }
  }
}

}  // namespace fxcut
