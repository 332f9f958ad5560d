#include "partition/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "classify/integer_range.h"
#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "extract/control_deps.h"
#include "frontier/never_recomputed.h"
#include "graph/nodes_by_name.h"
#include "quantize/cross_compressed.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

using NodeNames = std::unordered_set<std::string_view>;

NodeNames recomputed_in(const Report& report) {
  NodeNames names;
  for (const RecomputedValue& row : report.recomputed_values) names.insert(row.name);
  return names;
}

// Whether the value may cross so: booleans as bits, positions in integers that hold them, and rows scaled to a range.
bool has_form(const Graph& graph, const Node& node, const CompressedForm& form) {
  if (!node.has_tensor()) return false;
  switch (form.how) {
    case Compression::Bits: return fits_bits(node.value->tensor) && form.dtype == "uint8";
    case Compression::Scaled: return find_quantized_dtype(form.dtype) && !node.value->tensor.shape.empty();
    case Compression::Cast: break;
    case Compression::None: return false;
  }
  const Dtype* narrowest = narrowest_integer(graph, node_id(static_cast<std::size_t>(&node - graph.nodes.data())));
  return narrowest && narrowest->name == form.dtype && node.value->tensor.dtype->name == "int64";
}

Failure cannot_be_compressed(const Node& node, const CompressedForm& form) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("the decision has '{}' cross compressed ({}, {}), a form that the value does not have", node.name,
                             name_of(form.how), form.dtype),
                 fmt::format("remove 'compressed' from the row of '{}'", node.name));
}

// Refuses the nodes with `is_new` that must not be recomputed.
void refuse(const Analysis& analysis, auto&& is_new) {
  const std::vector<Ban> never = never_recomputed(analysis);
  std::vector<Diagnostic> wrong;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) {
    const Node& node = analysis.graph().nodes[i];
    const bool is_lifted = node.must_recompute() && never[i] != Ban::Overwritten;
    if (never[i] == Ban::None || is_lifted || !is_new(node_id(i))) continue;
    wrong.push_back({"",
                     fmt::format("the decision neither saves '{}' nor may it be recomputed: {}", node.name,
                                 phrase_for(never[i])),
                     "let the decision save it, or what is computed from it"});
  }
  if (!wrong.empty()) throw Failure(ExitStatus::NoPartition, std::move(wrong));
}

class Rows {
 public:
  Rows(const JointGraph& joint, const std::vector<bool>& tangents_closure)
      : joint_(joint), is_of_backward_(tangents_closure), ids_(nodes_by_name(joint.graph)),
        is_saved_(joint.graph.size(), false) {
    release_split_calls();
  }

  void add(std::string_view list, const std::vector<SavedValue>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::string mistake = add(rows[i].name);
      if (mistake.empty()) continue;
      wrong_.push_back({fmt::format("/{}/{} (node '{}')", list, i, rows[i].name), std::move(mistake), ""});
    }
  }

  // The repairs that still apply; values that were edited out of the saved values are none.
  void find_repairs(const std::vector<RepairedValue>& rows, SavedValues& choice) const {
    for (const RepairedValue& row : rows) {
      const auto found = ids_.find(row.name);
      if (found == ids_.end()) continue;
      const NodeId id = found->second;
      switch (row.kind) {
        case RepairKind::RandomState: choice.states.insert(id); break;
        case RepairKind::LateCopy: choice.copies.emplace(id, HostCopy::AfterLastWrite); break;
        case RepairKind::Effect: choice.effects.insert(id); break;
        case RepairKind::OnDevice: choice.copies.emplace(id, HostCopy::Never); break;
        case RepairKind::Value:
          if (is_saved_[index_of(id)]) choice.repaired.insert(id);
      }
    }
  }

  // Only calls that still exist; what the backward no longer recomputes is not repeated either.
  std::vector<RecomputedAgain> find_again(const std::vector<RecomputedAgainValue>& rows) const {
    std::vector<RecomputedAgain> again;
    for (const RecomputedAgainValue& row : rows) {
      const auto value = ids_.find(row.of), before = ids_.find(row.before);
      if (value != ids_.end() && before != ids_.end()) again.push_back({value->second, before->second});
    }
    return again;
  }

  std::vector<NodeId> take() {
    if (!wrong_.empty()) throw Failure(ExitStatus::NoPartition, std::move(wrong_));
    return std::move(saved_);
  }

 private:
  // Returns the mistake, or an empty text.
  std::string add(const std::string& name) {
    const auto found = ids_.find(name);
    if (found == ids_.end()) {
      const auto repeat = joint_.repeats.find(name);
      return repeat == joint_.repeats.end()
                 ? "it cannot be saved: nothing needs it, so that it is dropped"
                 : fmt::format("it cannot be saved: it was merged into '{}', which computes the same", repeat->second);
    }
    const std::size_t i = index_of(found->second);
    const Node& node = joint_.graph.nodes[i];
    if (is_saved_[i]) return "it has two rows";
    if (is_of_backward_[i] || node.is_output()) return "it cannot be saved: only the backward computes it";
    is_saved_[i] = true;
    saved_.push_back(found->second);
    return "";
  }

  // A control_deps call that also waits for the backward has a forward part, and so have nodes that use the whole call: they
  // are on both sides. The call's items are on one side each.
  void release_split_calls() {
    if (!joint_.torch.release.has(Change::ControlDepsAreRebuilt)) return;
    std::vector<bool> is_released(joint_.graph.size(), false);
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      const Node& node = joint_.graph.nodes[i];
      if (!is_of_backward_[i] || is_item_of_control_deps(node)) continue;
      const auto has_input_in = [&](const std::vector<bool>& set) {
        return std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId id) { return set[index_of(id)]; });
      };
      is_released[i] = node.calls(kControlDeps) || (has_input_in(is_released) && !has_input_in(is_of_backward_));
      is_of_backward_[i] = !is_released[i];
    }
  }

  bool is_item_of_control_deps(const Node& node) const {
    const auto tuple = node.calls("operator.getitem") ? node_argument(node, 0) : std::nullopt;
    return tuple && joint_.graph[*tuple].calls(kControlDeps);
  }

  const JointGraph& joint_;
  std::vector<bool> is_of_backward_;
  NodesByName ids_;
  std::vector<bool> is_saved_;
  std::vector<NodeId> saved_;
  std::vector<Diagnostic> wrong_;
};

}  // namespace

Failure saves_too_little(const Failure& failure) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.hint = "let the decision save that value, or one between the two";
  }
  return Failure(failure.status(), std::move(diagnostics));
}

std::vector<NodeId> random_states_to_save(const Analysis& analysis, const ForwardBackward& sides, const Report& decision) {
  const NodeNames recorded = recomputed_in(decision);
  const auto is_new = [&](NodeId id) {
    const Node& node = analysis.node(id);
    return node.is_call() && draws_numbers(node) && sides.forward.computes(id) && sides.backward.computes(id) &&
           (decision.frontier || !recorded.contains(node.name));
  };
  refuse(analysis, is_new);
  std::vector<NodeId> random;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) {
    if (is_new(node_id(i))) random.push_back(node_id(i));
  }
  return random;
}

void refuse_wrong_recomputing(const Analysis& analysis, const Report& replayed, const Report& decision) {
  const NodeNames recorded = recomputed_in(decision), now = recomputed_in(replayed);
  refuse(analysis, [&](NodeId id) {
    const std::string& name = analysis.node(id).name;
    return now.contains(name) && !recorded.contains(name);
  });
}

SavedValues replayed_values(const JointGraph& joint, const std::vector<bool>& tangents_closure, const Report& decision,
                            Partitioner partitioner) {
  Rows rows(joint, tangents_closure);
  rows.add("saved_values", decision.saved_values);
  rows.add("saved_opaques", decision.saved_opaques);
  rows.add("saved_symbols", decision.saved_symbols);
  SavedValues choice{.by = ByOther{partitioner, {}}, .saved = {}, .budget = decision.memory_budget};
  rows.find_repairs(decision.repairs, choice);
  choice.again = rows.find_again(decision.recomputed_again);
  choice.saved = rows.take();
  // A backward state crosses without a row.
  for (const NodeId state : find_nodes(joint.graph, is_backward_state)) choice.saved.push_back(state);
  return choice;
}

bool mark_compressed_as(JointGraph& joint, const Report& decision) {
  if (decision.settings.activation_quantization.is_on) return false;  // PyTorch's pass decides it again
  std::unordered_map<std::string_view, const CompressedForm*> forms;
  for (const SavedValue& row : decision.saved_values) {
    if (row.compressed) forms.emplace(row.name, &*row.compressed);
  }
  bool any = false;
  for (Node& node : joint.graph.nodes) {
    const auto form = forms.find(node.name);
    if (form == forms.end()) continue;
    if (!has_form(joint.graph, node, *form->second)) throw cannot_be_compressed(node, *form->second);
    node.meta.compression = form->second->how;
    node.meta.compressed_dtype = find_dtype(form->second->dtype);
    any = true;
  }
  return any;
}

bool mark_offloaded(JointGraph& joint, const Report& decision, bool own_marks_count) {
  NodeNames refused, saved, on_host;
  for (const OffloadRefused& row : decision.offload_refusals) refused.insert(row.name);
  for (const SavedValue& row : decision.saved_values) (row.host_name.empty() ? saved : on_host).insert(row.name);
  const bool is_by_solver = decision.settings.offload == Offload::Auto && !(on_host.empty() && refused.empty());
  const bool only_by_solver = is_by_solver && !own_marks_count;
  for (Node& node : joint.graph.nodes) {
    Meta& meta = node.meta;
    const bool is_refused = refused.contains(node.name);
    if (on_host.contains(node.name)) {
      if (is_by_solver || !meta.should_offload) meta.offload_request = OffloadRequest::Must;
      meta.should_offload = true;
    } else if (only_by_solver) {
      meta.offload_request = OffloadRequest::Preferred;
      meta.should_offload = is_refused;
    } else if (saved.contains(node.name) && !is_refused) {
      meta.should_offload = false;
    }
  }
  return !on_host.empty();
}

}  // namespace fxcut
