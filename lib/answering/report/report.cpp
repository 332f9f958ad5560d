#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cost/flops.h"
#include "cost/size.h"
#include "policy/names.h"
#include "report/describe_parts.h"
#include "report/reasons.h"
#include "report/recomputed_time.h"
#include "report/shared_calls.h"

namespace fxcut {
namespace {

SavedValue describe(const Node& node, const Settings& settings, const CarriedValue& carried) {
  SavedValue saved;
  static_cast<DescribedNode&>(saved) = describe_node(node, settings);
  saved.forward_output = carried.forward_output;
  saved.backward_input = carried.backward_input;
  return saved;
}

using CarriedValues = std::vector<CarriedValue>;

// The other forms in which saved values cross; `scales` has the positions of the quantized values' scales.
void describe_forms(std::vector<SavedValue>& rows, const Finished& finished, CarriedValues::const_iterator scales) {
  std::unordered_map<std::string_view, SavedValue*> row_of;
  for (SavedValue& row : rows) row_of.emplace(row.name, &row);
  for (const QuantizedValue& value : finished.quantized) row_of.emplace(value.quantized, row_of.at(value.name));
  for (const OffloadCandidate& one : finished.offloads) {
    if (const auto row = row_of.find(one.name); row != row_of.end()) row->second->host_name = one.host_name;
  }
  const std::vector<OutputLeaf> outputs = output_leaves(finished.graphs.forward);
  const auto returned = [&](std::size_t position) -> const Node& { return finished.graphs.forward[*outputs[position].node]; };
  for (const QuantizedValue& value : finished.quantized) {
    SavedValue& row = *row_of.at(value.name);
    const Tensor& quantized = returned(row.forward_output).value->tensor;
    row.compressed = CompressedForm{.name = value.quantized,
                                    .how = value.how,
                                    .dtype = std::string(quantized.dtype->name),
                                    .size_bytes = element_bytes(quantized)};
    if (value.scale.empty()) continue;
    row.compressed->scale = value.scale;
    row.compressed->scale_bytes = element_bytes(returned(scales->forward_output).value->tensor);
    row.compressed->scale_forward_output = scales->forward_output;
    row.compressed->scale_backward_input = scales->backward_input;
    ++scales;
  }
}

std::ptrdiff_t count_scales(const Finished& finished) {
  return std::ranges::count_if(finished.quantized, [](const QuantizedValue& value) { return !value.scale.empty(); });
}

// The state of a generator; each side has a node of its own for it.
SavedState describe_state(const GraphPair& graphs, const std::vector<OutputLeaf>& outputs, NodeId backward_input,
                          const CarriedValue& carried) {
  const Node& state = graphs.forward[*outputs.at(carried.forward_output).node];
  return {state.name, graphs.backward[backward_input].name, element_bytes(state.value->tensor), carried.forward_output,
          carried.backward_input};
}

void describe_requests(std::vector<SavedValue>& rows, const RequestedForms& requested) {
  for (SavedValue& row : rows) {
    const auto rule = requested.rule_of.find(row.name);
    if (row.compressed && rule != requested.rule_of.end()) row.compressed->by = requested.rules[rule->second];
  }
}

void describe_saved(Report& report, const JointGraph& joint, const Reasons& reasons, const Crossing& crossing,
                    const std::vector<CarriedValue>& carried, const Finished& finished) {
  auto next = carried.begin();
  const auto add = [&](std::vector<SavedValue>& rows, NodeId id, Why why) {
    rows.push_back(describe(joint.graph[id], report.settings, *next++));
    rows.back().why = std::move(why);
  };
  for (const NodeId id : crossing.values) add(report.saved_values, id, reasons.of_saved(id));
  for (const NodeId id : crossing.opaques) add(report.saved_opaques, id, reasons.of_saved(id));
  describe_forms(report.saved_values, finished, next);
  next += count_scales(finished);
  const auto symbols = carried.end() - static_cast<std::ptrdiff_t>(crossing.symbols.size());
  if (next != symbols) {
    const std::vector<OutputLeaf> outputs = output_leaves(finished.graphs.forward);
    const std::vector<NodeId> inputs =
        find_nodes(finished.graphs.backward, [](const Node& node) { return node.is_placeholder(); });
    for (; next != symbols; ++next) {
      report.saved_random_states.push_back(describe_state(finished.graphs, outputs, inputs[next->backward_input], *next));
    }
  }
  for (const NodeId id : crossing.symbols) add(report.saved_symbols, id, reasons.of_symbol(id));
}

void describe_recomputed(Report& report, const JointGraph& joint, const Reasons& reasons,
                         const std::vector<SharedCall>& shared) {
  for (const auto& [id, runs_twice] : shared) {
    if (!runs_twice) continue;
    const Node& node = joint.graph[id];
    RecomputedValue row;
    row.name = node.name;
    row.op = node.callee->target;
    row.flops = estimate_flops(joint.graph, node, joint.torch.release);
    row.size_bytes = find_size(node, report.settings).value_or(0);
    if (node.provenance) row.provenance = *node.provenance;
    row.why = reasons.of_recomputed(id);
    report.recomputed_values.push_back(std::move(row));
  }
}

void describe_again(Report& report, const JointGraph& joint, const std::vector<RunAgain>& again) {
  for (const RunAgain& one : again) {
    const Node& node = joint.graph[one.value];
    report.recomputed_again.push_back({one.name, node.name, joint.graph[one.before].name,
                                       estimate_flops(joint.graph, node, joint.torch.release),
                                       find_size(node, report.settings).value_or(0)});
  }
}

void describe_solving(Report& report, const SavedValues& choice) {
  const Solved solved = solved_by(choice);
  report.cuts = solved.cuts;
  const auto& items = solved.knapsack;
  if (!items.empty()) {
    const auto saved = std::count_if(items.begin(), items.end(), [](const KnapsackItem& item) { return item.is_saved; });
    report.knapsack = SolvedKnapsack{items.size(), static_cast<std::size_t>(saved)};
  }
  if (const auto* by = choice.decided_by<ByFrontier>()) {
    report.frontier = by->facts;
    report.peak_limit = by->facts.peak;
  }
}

// Warns of policies that were not followed: the default partitioner cannot save every value, an input cannot be recomputed.
void warn_of_unmet_policies(Report& report, const JointGraph& joint) {
  for (const SavedValue& row : report.saved_values) {
    const bool must_not = row.why.policy && row.why.policy->checkpoint_policy == CheckpointPolicy::MustRecompute;
    if (!must_not || row.op != "placeholder") continue;
    report.warnings.push_back(
        fmt::format("'{}' must be recomputed by policy '{}' ({}), but it is an input: it is saved", row.name,
                    row.why.policy->policy, row.why.policy->rule));
  }
  const auto is_unmet = [](const RecomputedValue& row) {
    return row.why.policy && row.why.policy->checkpoint_policy == CheckpointPolicy::MustSave;
  };
  const auto& recomputed = report.recomputed_values;
  if (std::none_of(recomputed.begin(), recomputed.end(), is_unmet)) return;
  const std::vector<std::string> operators = naming_operators(report.settings);
  const std::vector<NodeId> wholes = whole_values(joint.graph, same_values(joint.graph, operators), operators);
  std::unordered_set<std::string_view> aliases;  // and parts: computed from a saved value
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    if (wholes[i] != node_id(i)) aliases.insert(joint.graph.nodes[i].name);
  }
  for (const RecomputedValue& row : recomputed) {
    if (!is_unmet(row) || aliases.contains(row.name)) continue;
    report.warnings.push_back(
        fmt::format("'{}' must be saved by policy '{}' ({}), but the partitioner has the backward compute it", row.name,
                    row.why.policy->policy, row.why.policy->rule));
  }
}

// PyTorch's two halves have different defaults of use_scaling.
void warn_of_scales(Report& report, const Finished& finished) {
  const ActivationQuantization& options = report.settings.activation_quantization;
  if (finished.quantized.empty() || !options.is_on || options.use_scaling) return;
  report.warnings.push_back(
      "the forward scales what it quantizes, and the backward does not scale it back: the gradients are wrong, in PyTorch as "
      "here; set activation_quantization_aten_pass.use_scaling to true or false");
}

void add_compressed(Totals& totals, const SavedValue& saved) {
  if (!totals.compressed) totals.compressed.emplace();
  ++totals.compressed->values;
  totals.compressed->bytes_before += saved.size_bytes;
  totals.compressed->bytes += saved.compressed->crossing_bytes();
}

// A storage counts with a value that crosses as it is, if there is one: the forms of the others are in memory of their own.
void add_kept(std::vector<SavedValue>& rows, const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t i) { return !rows[i].compressed; });
  std::vector<NodeId> values;
  for (const std::size_t i : order) values.push_back(crossing.values[i]);
  const std::vector<std::int64_t> kept = kept_bytes(joint.graph, storages, values);
  for (std::size_t i = 0; i < order.size(); ++i) rows[order[i]].kept_bytes = kept[i];
}

void add_totals(Report& report, const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                const GraphPair& graphs, const std::vector<SharedCall>& shared) {
  Totals& totals = report.totals;
  for (const SavedValue& saved : report.saved_values) {
    totals.saved_bytes += saved.size_bytes;
    if (saved.static_lifetime) totals.saved_bytes_static += saved.size_bytes;
    if (saved.compressed) add_compressed(totals, saved);
    if (saved.host_name.empty()) continue;
    totals.offloaded_bytes += saved.compressed ? saved.compressed->size_bytes : saved.size_bytes;
    ++totals.offloaded_values;
  }
  add_kept(report.saved_values, joint, storages, crossing);
  for (const SavedValue& saved : report.saved_values) {
    totals.saved_bytes_not_static += saved.kept_bytes;
    if (totals.compressed) totals.compressed->held_bytes += saved.held_bytes();
  }
  totals.saved_values = report.saved_values.size();
  totals.saved_opaques = report.saved_opaques.size();
  totals.saved_symbols = report.saved_symbols.size();
  totals.saved_random_states = report.saved_random_states.size();
  totals.recomputed_operators = report.recomputed_values.size();
  for (const RecomputedValue& recomputed : report.recomputed_values) ++totals.recomputed_by_operator[recomputed.op];
  for (const SharedCall& call : shared) {
    totals.recomputed_flops += estimate_flops(joint.graph, joint.graph[call.id], joint.torch.release);
  }
  totals.forward_operators = count_calls(graphs.forward);
  totals.backward_operators = count_calls(graphs.backward);
}

}  // namespace

std::string_view name_of(Compression how) {
  constexpr std::string_view kNames[] = {"none", "scaled", "cast", "bits"};
  return kNames[static_cast<std::size_t>(how)];
}

std::string show_form(const CompressedForm& form) {
  if (form.how == Compression::Bits) return "bits";
  return form.scale.empty() ? form.dtype : form.dtype + " with scales";
}

std::string show_place(const Provenance& provenance) {
  if (!provenance.module.empty()) return provenance.module;
  if (provenance.source_file.empty()) return "";
  return fmt::format("{}:{}", provenance.source_file, provenance.source_line);
}

std::string operator_of(const Node& node) {
  if (node.is_call()) return node.callee->target;
  if (node.is_output()) return "output";
  return node.opcode == Opcode::GetAttr ? "get_attr" : "placeholder";
}

DescribedNode describe_node(const Node& node, const Settings& settings) {
  DescribedNode described;
  described.name = node.name;
  described.op = operator_of(node);
  described.static_lifetime = node.meta.static_lifetime;
  if (const auto& value = node.value ? node.value : node.tensor_meta; value && value->is_tensor()) {
    described.dtype = value->tensor.dtype->name;
    described.shape = value->tensor.shape;
  }
  described.size_bytes = find_size(node, settings).value_or(0);
  if (node.provenance) described.provenance = *node.provenance;
  return described;
}

Report make_report(const Decided& decided, const Crossing& crossing, const std::vector<CarriedValue>& carried,
                   const Finished& finished, const std::vector<Unsound>& unsound) {
  const JointGraph& joint = decided.joint;
  Report report;
  report.graph = joint.name;
  report.producer = joint.producer;
  report.compiler = joint.compiler;
  report.hints = joint.hints;
  report.torch = joint.torch;
  report.settings = decided.settings;
  report.decided_by = partitioner_of(decided.choice);
  report.memory_budget = decided.choice.budget;
  report.num_forward_outputs = joint.num_forward_outputs;
  report.warnings = decided.matched.warnings;
  report.warnings.insert(report.warnings.end(), decided.tagged.warnings.begin(), decided.tagged.warnings.end());
  describe_solving(report, decided.choice);
  const std::vector<SharedCall> shared = find_shared_calls(joint.graph, finished.graphs);
  const Reasons reasons(joint, decided.choice, decided.tagged);
  describe_saved(report, joint, reasons, crossing, carried, finished);
  describe_requests(report.saved_values, decided.tagged.forms);
  describe_recomputed(report, joint, reasons, shared);
  describe_again(report, joint, finished.again);
  warn_of_unmet_policies(report, joint);
  warn_of_scales(report, finished);
  describe_soundness(report, joint, decided.choice, unsound);
  for (const OffloadCandidate& candidate : finished.offloads) {
    if (candidate.refusal == OffloadRefusal::None) continue;
    report.offload_refusals.push_back(
        {candidate.name,
         {std::string(name_of(candidate.refusal)), std::string(phrase_for(candidate.refusal))}});
  }
  report.names = describe_names(decided.matched.names, joint, report, finished.graphs);
  add_totals(report, joint, decided.storages, crossing, finished.graphs, shared);
  const EstimatedDevice device = device_of(decided.settings, joint.graph);
  report.run_time = RunTimeReport{device.profile.name, device.from};
  report.run_time->recomputed_ms = recomputed_ms(joint.graph, finished.graphs.backward, shared, finished.again, device.profile);
  return report;
}

}  // namespace fxcut
