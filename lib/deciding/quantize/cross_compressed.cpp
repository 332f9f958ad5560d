#include "quantize/cross_compressed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "graph/rebuild.h"
#include "quantize/quantized_dtypes.h"
#include "quantize/quantizing_calls.h"

namespace fxcut {
namespace {

// PyTorch finds the partners of a value by their names, for which these must be as it makes them.
void require_name(const std::string& made, const std::string& expected) {
  if (made == expected) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("a node '{}' is in the way of the quantized value of that name, which PyTorch would not find",
                            expected),
                fmt::format("rename '{}' in the joint graph", expected));
}

// PyTorch's find_first_sym_node: after the last output that is no symbolic number.
std::ptrdiff_t before_symbols(const Graph& graph, const std::vector<OutputLeaf>& outputs) {
  const auto last = std::find_if(outputs.rbegin(), outputs.rend(),
                                 [&](const OutputLeaf& leaf) { return !leaf.node || !graph[*leaf.node].has_symbol(); });
  return last == outputs.rend() ? static_cast<std::ptrdiff_t>(outputs.size()) : last.base() - outputs.begin();
}

// The form is copied to the host in place of the value.
void copy_in_place_of(Meta& value, Meta& form) {
  form.should_offload = std::exchange(value.should_offload, false);
  form.offload_request = value.offload_request;
  form.host_copy = value.host_copy;
}

class ForwardSide {
 public:
  ForwardSide(Graph forward, Namespace& names, std::int64_t& storages)
      : outputs_(output_leaves(forward)), editing_(std::move(forward)), names_(names), storages_(storages) {}

  Quantized make(const std::vector<CompressedCrossing>& crossings) {
    for (const CompressedCrossing& crossing : crossings) {
      outputs_[crossing.position].node = compressed(*outputs_[crossing.position].node, crossing);
    }
    outputs_.insert(outputs_.begin() + before_symbols(editing_.graph, outputs_), scales_.begin(), scales_.end());
    editing_.graph[editing_.output] = returning(editing_.graph[editing_.output], outputs_);
    return {{editing_.take(), {}}, std::move(values_)};
  }

 private:
  NodeId compressed(NodeId value, const CompressedCrossing& crossing) {
    QuantizedValue& made = values_.emplace_back(QuantizedValue{editing_.graph[value].name, "", "", crossing.how});
    QuantizingCalls calls(editing_, names_, storages_, value);
    NodeId form{};
    switch (crossing.how) {
      case Compression::Scaled: {
        const QuantizedDtype& dtype = *find_quantized_dtype(crossing.dtype->name);
        const NodeId scales = calls.scales(value, dtype, crossing.scale);
        scales_.push_back({scales, nullptr});
        made.scale = editing_.graph[scales].name;
        if (crossing.is_found_by_name) require_name(made.scale, crossing.scale);
        form = calls.scaled(value, scales, dtype, crossing.name);
        break;
      }
      case Compression::Bits: form = calls.packed(value, crossing.name); break;
      default: form = calls.cast(value, *crossing.dtype, crossing.name);
    }
    made.quantized = editing_.graph[form].name;
    if (!crossing.is_found_by_name) copy_in_place_of(editing_.graph[value].meta, editing_.graph[form].meta);
    if (crossing.is_found_by_name) require_name(made.quantized, crossing.name);
    return form;
  }

  std::vector<OutputLeaf> outputs_;
  Editing editing_;
  Namespace& names_;
  std::int64_t& storages_;
  std::vector<OutputLeaf> scales_;
  std::vector<QuantizedValue> values_;
};

// A placeholder of the backward that now is that of a form.
struct CompressedInput {
  NodeId placeholder;
  const CompressedCrossing* crossing;
  std::string scale;
  Tensor original;
  std::uint32_t origin = kNoOrigin;  // of the value, in the joint graph
};

class BackwardSide {
 public:
  BackwardSide(Graph backward, const Graph& forward, std::optional<NodeId> ordered_from, Namespace& names,
               std::int64_t& storages)
      : users_(backward), editing_(std::move(backward)), ordered_from_(ordered_from), names_(names), storages_(storages) {
    for (const NodeId output : forward.output().inputs) returned_.emplace(forward[output].name, &forward[output]);
  }

  Graph restore(const std::vector<QuantizedValue>& values, const std::vector<CompressedCrossing>& crossings) {
    const std::vector<CompressedInput> inputs = replace_placeholders(values, crossings);
    add_scales(values, crossings);
    find_places();
    for (const CompressedInput& input : inputs) restore(input);
    return editing_.take();
  }

 private:
  std::vector<CompressedInput> replace_placeholders(const std::vector<QuantizedValue>& values,
                                                    const std::vector<CompressedCrossing>& crossings) {
    std::map<std::string_view, NodeId> placeholders;
    for (std::size_t i = 0; i < editing_.graph.size(); ++i) {
      if (editing_.graph.nodes[i].is_placeholder()) placeholders.emplace(editing_.graph.nodes[i].name, node_id(i));
    }
    std::vector<CompressedInput> inputs;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const NodeId id = placeholders.at(values[i].name);
      const Node& input = editing_.graph[id];
      inputs.push_back({id, &crossings[i], values[i].scale, input.value->tensor, input.origin});
    }
    for (std::size_t i = 0; i < values.size(); ++i) become(inputs[i].placeholder, values[i].quantized, crossings[i]);
    std::ranges::sort(inputs, [](const CompressedInput& a, const CompressedInput& b) {
      // PyTorch goes through the placeholders in their order; before one user, each other value comes before those already there.
      return a.crossing->is_found_by_name ? a.placeholder < b.placeholder : a.origin > b.origin;
    });
    return inputs;
  }

  void become(NodeId placeholder, const std::string& target, const CompressedCrossing& crossing) {
    Node input = input_for(target);
    const bool is_looked_up = crossing.is_found_by_name && crossing.how == Compression::Scaled && crossing.divides;
    if (is_looked_up) require_name(input.name, target);
    editing_.graph[placeholder] = std::move(input);
  }

  // The placeholder of what the forward returns by that name.
  Node input_for(const std::string& target) {
    Node input;
    input.opcode = Opcode::Placeholder;
    input.target = target;
    input.name = names_.create(target);
    input.arguments = std::make_shared<const Arguments>();
    input.value = returned_.at(target)->value;
    input.has_new_value = true;
    return input;
  }

  // The last placeholder that is no tangent: PyTorch's, also where something else comes after the tangents, such as the backward
  // state. Otherwise the last before the tangents, where what the forward saves is passed.
  NodeId before_scales(bool is_pytorchs) const {
    NodeId last = kNoNode;
    for (std::size_t i = 0; i < editing_.graph.size(); ++i) {
      const Node& node = editing_.graph.nodes[i];
      if (!node.is_placeholder()) continue;
      if (!is_tangent(node)) last = node_id(i);
      else if (!is_pytorchs && last != kNoNode) break;
    }
    return last;
  }

  void add_scales(const std::vector<QuantizedValue>& values, const std::vector<CompressedCrossing>& crossings) {
    NodeId last = before_scales(crossings.front().is_found_by_name);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].scale.empty()) continue;
      Node input = input_for(values[i].scale);
      if (crossings[i].is_found_by_name) require_name(input.name, values[i].scale);
      scales_.emplace(values[i].scale, last = editing_.add_after(last, std::move(input)));
    }
  }

  // After what it takes, or before its first user.
  NodeId place_of(const CompressedInput& input) const {
    const bool scales_back = input.crossing->how == Compression::Scaled && input.crossing->divides;
    if (input.crossing->is_found_by_name) return scales_back ? scales_.at(input.scale) : input.placeholder;
    std::size_t first = ordered_from_ ? place_in_graph_[index_of(*ordered_from_)] : in_graph_.size();
    for (const NodeId user : users_.of(input.placeholder)) first = std::min(first, place_in_graph_[index_of(user)]);
    return in_graph_[first - 1];
  }

  void find_places() {
    in_graph_ = editing_.order.sequence();
    place_in_graph_.resize(in_graph_.size());
    for (std::size_t place = 0; place < in_graph_.size(); ++place) place_in_graph_[index_of(in_graph_[place])] = place;
  }

  NodeId restored(const CompressedInput& input) {
    const Dtype& dtype = *input.original.dtype;
    QuantizingCalls calls(editing_, names_, storages_, place_of(input));
    if (input.crossing->how == Compression::Scaled && input.crossing->divides) {
      return calls.divided(input.placeholder, scales_.at(input.scale), dtype);
    }
    if (input.crossing->how == Compression::Bits) return calls.unpacked(input.placeholder, input.original);
    return calls.cast(input.placeholder, dtype, "dequant_" + editing_.graph[input.placeholder].name);
  }

  void restore(const CompressedInput& input) {
    const NodeId value = restored(input);
    for (const NodeId user : users_.of(input.placeholder)) {
      std::vector<NodeId>& inputs = editing_.graph[user].inputs;
      std::replace(inputs.begin(), inputs.end(), input.placeholder, value);
    }
  }

  Users users_;
  Editing editing_;
  std::optional<NodeId> ordered_from_;
  Namespace& names_;
  std::int64_t& storages_;
  std::map<std::string_view, const Node*> returned_;
  std::map<std::string, NodeId> scales_;
  std::vector<NodeId> in_graph_;             // in order, before values are restored
  std::vector<std::size_t> place_in_graph_;  // by node
};

}  // namespace

Quantized cross_compressed(GraphPair graphs, const std::vector<CompressedCrossing>& crossings, NamespacePair& names,
                           std::optional<NodeId> ordered_from) {
  if (crossings.empty()) return {std::move(graphs), {}};
  std::int64_t storages = std::max(first_unused_storage(graphs.forward), first_unused_storage(graphs.backward));
  Quantized made = ForwardSide(std::move(graphs.forward), names.forward, storages).make(crossings);
  made.graphs.backward = BackwardSide(std::move(graphs.backward), made.graphs.forward, ordered_from, names.backward, storages)
                             .restore(made.values, crossings);
  return made;
}

bool fits_bits(const Tensor& tensor) {
  const bool is_known = std::ranges::all_of(tensor.shape, [](const Size& size) { return !size.expression; });
  return tensor.dtype->name == "bool" && is_known && is_contiguous(tensor) && element_bytes(tensor) > 0 &&
         element_bytes(tensor) % 8 == 0;
}

}  // namespace fxcut
