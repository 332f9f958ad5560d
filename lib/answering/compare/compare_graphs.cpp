#include "compare/compare_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compare/match_nodes.h"
#include "cost/flops.h"
#include "graph/fingerprint.h"
#include "graph/hash128.h"
#include "report/report.h"

namespace fxcut {
namespace {

using Values = std::vector<ComparedValue>;
using Kind = ValueChange::Kind;

std::string extent_of(const Value& value) {
  if (value.is_tensor()) return extent_of(value.tensor.dtype->name, value.tensor.shape);
  if (value.expression) return value.expression->text;
  std::vector<std::string> items;
  for (const Value& item : value.items) items.push_back(extent_of(item));
  return fmt::format("({})", fmt::join(items, ", "));
}

std::vector<bool> saved_nodes(const AnyGraph& given) {
  std::vector<bool> saved(given.joint.graph.size(), false);
  if (given.form != GraphForm::Forward) return saved;
  const std::vector<OutputLeaf> outputs = output_leaves(given.joint.graph);
  for (std::size_t i = given.joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) saved[index_of(*outputs[i].node)] = true;
  }
  return saved;
}

Values values_of(const AnyGraph& given) {
  const Graph& graph = given.joint.graph;
  const std::vector<bool> saved = saved_nodes(given);
  Values values(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    ComparedValue& value = values[i];
    value.name = node.name;
    value.op = operator_of(node);
    if (const auto& described = node.value ? node.value : node.tensor_meta) {
      value.extent = extent_of(*described);
      value.size_bytes = tensor_bytes(*described);
    }
    if (node.is_call()) value.flops = estimate_flops(graph, node, given.joint.torch.release);
    if (node.provenance) value.provenance = *node.provenance;
    value.static_lifetime = node.meta.static_lifetime;
    value.state = saved[i] ? ValueState::Saved : ValueState::Computed;
  }
  return values;
}

std::string call_of(const Node& node) {
  Hash128 hash;
  add_call(hash, node);
  return hash.text();
}

// Whether two partners are called with the same constants and with partners.
bool is_same_call(const Node& before, const Node& after, const Matching& matching) {
  if (before.is_placeholder()) return true;
  if (before.inputs.size() != after.inputs.size() || call_of(before) != call_of(after)) return false;
  for (std::size_t k = 0; k < before.inputs.size(); ++k) {
    if (matching.after_of(index_of(before.inputs[k])) != index_of(after.inputs[k])) return false;
  }
  return true;
}

class GraphComparison {
 public:
  GraphComparison(const AnyGraph& before, const AnyGraph& after)
      : before_(before.joint.graph), after_(after.joint.graph), values_before_(values_of(before)),
        values_after_(values_of(after)), matching_(match_nodes(before_, after_, values_before_, values_after_)) {}

  void add_to(Difference& difference) const {
    std::size_t last_input = 0;  // the last partner of the inputs so far
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (matching_.after_of(i) == Matching::kNone) {
        add(Kind::Removed, &values_before_[i], nullptr, difference);
      } else {
        add_pair(i, matching_.after_of(i), difference);
        if (before_.nodes[i].is_placeholder()) add_if_moved(i, last_input, difference);
      }
    }
    for (std::size_t i = 0; i < after_.size(); ++i) {
      if (matching_.before_of(i) == Matching::kNone) add(Kind::Added, nullptr, &values_after_[i], difference);
    }
    sort_by_bytes(difference.saved);
    sort_by_bytes(difference.nodes);
  }

  Int128 total_before(auto&& measure) const { return total(values_before_, measure); }
  Int128 total_after(auto&& measure) const { return total(values_after_, measure); }

 private:
  static Int128 total(const Values& values, auto&& measure) {
    Int128 sum = 0;
    for (const ComparedValue& value : values) sum += measure(value);
    return sum;
  }

  static ValueChange change(Kind kind, const ComparedValue* before, const ComparedValue* after) {
    ValueChange change;
    change.kind = kind;
    if (before) change.before = *before;
    if (after) change.after = *after;
    change.bytes = (after ? Int128{after->size_bytes} : 0) - (before ? before->size_bytes : 0);
    change.flops = (after ? after->flops : 0) - (before ? before->flops : 0);
    return change;
  }

  static void add(Kind kind, const ComparedValue* before, const ComparedValue* after, Difference& difference) {
    difference.nodes.push_back(change(kind, before, after));
    if ((before ? before : after)->state == ValueState::Saved) difference.saved.push_back(difference.nodes.back());
  }

  void add_pair(std::size_t i, std::size_t partner, Difference& difference) const {
    const ComparedValue &before = values_before_[i], &after = values_after_[partner];
    const auto kept = before.state == after.state ? change_of_kept(before, after) : std::nullopt;
    if (kept) {
      add(*kept, &before, &after, difference);
    } else if (!is_same_call(before_.nodes[i], after_.nodes[partner], matching_)) {
      difference.nodes.push_back(change(Kind::Rewired, &before, &after));
    }
    if (before.state == after.state) return;
    const bool added = after.state == ValueState::Saved;
    difference.saved.push_back(change(added ? Kind::Added : Kind::Removed, &before, &after));
    difference.saved.back().bytes = added ? Int128{after.size_bytes} : -Int128{before.size_bytes};
  }

  void add_if_moved(std::size_t i, std::size_t& last_input, Difference& difference) const {
    const std::size_t partner = matching_.after_of(i);
    if (partner < last_input) {
      difference.nodes.push_back(change(Kind::Moved, &values_before_[i], &values_after_[partner]));
    }
    last_input = std::max(last_input, partner);
  }

  const Graph &before_, &after_;
  Values values_before_, values_after_;
  Matching matching_;
};

}  // namespace

std::string_view name_of(GraphForm form) {
  switch (form) {
    case GraphForm::Joint: return "joint graph";
    case GraphForm::Forward: return "forward";
    case GraphForm::Backward: return "backward";
  }
  return "";
}

Difference compare_graphs(const AnyGraph& before, const AnyGraph& after) {
  Difference difference;
  difference.what = name_of(after.form);
  difference.graph_before = before.joint.name;
  difference.graph_after = after.joint.name;
  const GraphComparison comparison(before, after);
  comparison.add_to(difference);
  const auto figure = [&](std::string_view name, std::string_view title, std::string_view unit, auto&& measure) {
    difference.figures.push_back({name, title, unit, comparison.total_before(measure), comparison.total_after(measure), true});
  };
  const auto is_call = [](const ComparedValue& value) { return value.flops > 0; };
  const auto is_input = [](const ComparedValue& value) { return value.op == "placeholder"; };
  figure("operators", "operators", "", [&](const ComparedValue& value) { return Int128{is_call(value)}; });
  figure("flops", "FLOPs", "FLOP", [](const ComparedValue& value) { return value.flops; });
  figure("computed_bytes", "computed values", "B",
         [&](const ComparedValue& value) { return is_call(value) ? Int128{value.size_bytes} : 0; });
  figure("input_bytes", "inputs", "B",
         [&](const ComparedValue& value) { return is_input(value) ? Int128{value.size_bytes} : 0; });
  if (after.form == GraphForm::Forward) {
    const auto is_saved = [](const ComparedValue& value) { return value.state == ValueState::Saved; };
    figure("saved_values", "saved values", "", [&](const ComparedValue& value) { return Int128{is_saved(value)}; });
    figure("saved_bytes", "saved", "B",
           [&](const ComparedValue& value) { return is_saved(value) ? Int128{value.size_bytes} : 0; });
  }
  return difference;
}

}  // namespace fxcut
