#include "quantize/quantize_activations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "graph/rebuild.h"
#include "quantize/chosen_values.h"
#include "quantize/quantized_dtypes.h"
#include "quantize/quantizing_calls.h"

namespace fxcut {
namespace {

constexpr std::string_view kQuant = "fp8_quant_", kScale = "fp8_scale_";

// PyTorch finds the partners of a value by their names, for which these must be as it makes them.
void require_name(const std::string& made, const std::string& expected) {
  if (made == expected) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("a node '{}' is in the way of the quantized value of that name, which PyTorch would not find",
                            expected),
                fmt::format("rename '{}' in the joint graph", expected));
}

void require_plain_outputs(const Graph& forward) {
  for (const NodeId output : forward.output().inputs) {
    const std::string& name = forward[output].name;
    const bool is_plain = name.find(kQuant) == std::string::npos && name.find(kScale) == std::string::npos;
    if (is_plain) continue;
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' cannot be an output of the forward while activations are quantized: PyTorch takes it for one "
                              "of its own nodes",
                              name),
                  fmt::format("rename the nodes of the joint graph that have {} or {} in their names", kQuant, kScale));
  }
}

// The rows of scales are reductions.
void require_rows(const Node& node) {
  const Sizes& shape = node.value->tensor.shape;
  if (shape.empty() || shape[shape.size() - 1].hint != 0) return;
  throw Failure(ExitStatus::NoPartition, fmt::format("'{}' has rows of no elements, which have no largest one", node.name),
                "set activation_quantization_aten_pass.size_in_mb above 0");
}

// What the forward returns at each position, after its own outputs; and the scales.
struct Returned {
  std::vector<NodeId> outputs;
  std::vector<NodeId> scales;
};

// PyTorch's find_first_sym_node: after the last output that is no symbolic number.
std::ptrdiff_t before_symbols(const Graph& graph, const std::vector<NodeId>& outputs) {
  const auto last = std::find_if(outputs.rbegin(), outputs.rend(), [&](NodeId id) { return !graph[id].has_symbol(); });
  return last == outputs.rend() ? static_cast<std::ptrdiff_t>(outputs.size()) : last.base() - outputs.begin();
}

class ForwardSide {
 public:
  ForwardSide(Graph forward, const JointGraph& joint, Namespace& names, const ActivationQuantization& options)
      : editing_(std::move(forward)), joint_(joint), names_(names), options_(options) {}

  Quantized quantize(const std::set<std::string_view>& chosen) {
    std::vector<NodeId> outputs = editing_.graph[editing_.output].inputs;
    for (std::size_t position = joint_.num_forward_outputs; position < outputs.size(); ++position) {
      if (chosen.contains(editing_.graph[outputs[position]].name)) outputs[position] = quantized(outputs[position], position);
    }
    outputs.insert(outputs.begin() + before_symbols(editing_.graph, outputs), scales_.begin(), scales_.end());
    std::vector<OutputLeaf> leaves;
    for (const NodeId output : outputs) leaves.push_back({output, nullptr});
    editing_.graph[editing_.output] = returning(editing_.graph[editing_.output], leaves);
    return {{editing_.take(), {}}, std::move(values_)};
  }

 private:
  NodeId quantized(NodeId value, std::size_t position) {
    const std::string name = editing_.graph[value].name;
    const std::string suffix = fmt::format("pos_{}_{}", position, name);
    const QuantizedDtype& dtype = *find_quantized_dtype(options_.quant_type);
    values_.push_back({name, std::string(kQuant) + suffix, ""});
    QuantizingCalls calls(editing_, names_, value);
    NodeId result;
    if (options_.use_scaling.value_or(true)) {
      require_rows(editing_.graph[value]);
      values_.back().scale = std::string(kScale) + suffix;
      scales_.push_back(calls.scales(value, dtype, values_.back().scale));
      require_name(editing_.graph[scales_.back()].name, values_.back().scale);
      result = calls.scaled(value, scales_.back(), dtype, values_.back().quantized);
    } else {
      result = calls.cast(value, *find_dtype(dtype.name), values_.back().quantized);
    }
    require_name(editing_.graph[result].name, values_.back().quantized);
    return result;
  }

  Editing editing_;
  const JointGraph& joint_;
  Namespace& names_;
  const ActivationQuantization& options_;
  std::vector<NodeId> scales_;
  std::vector<QuantizedValue> values_;
};

// A placeholder of the backward that now is that of a quantized value.
struct QuantizedInput {
  NodeId placeholder;
  std::string scale;
  const Dtype* dtype;  // of the value
};

class BackwardSide {
 public:
  BackwardSide(Graph backward, const Graph& forward, Namespace& names, const ActivationQuantization& options)
      : users_(backward), editing_(std::move(backward)), names_(names), options_(options) {
    for (const NodeId output : forward.output().inputs) returned_.emplace(forward[output].name, &forward[output]);
  }

  Graph restore(const std::vector<QuantizedValue>& values) {
    const std::vector<QuantizedInput> inputs = replace_placeholders(values);
    add_scales(values);
    for (const QuantizedInput& input : inputs) restore(input);
    return editing_.take();
  }

 private:
  std::vector<QuantizedInput> replace_placeholders(const std::vector<QuantizedValue>& values) {
    std::map<std::string_view, NodeId> placeholders;
    for (std::size_t i = 0; i < editing_.graph.size(); ++i) {
      if (editing_.graph.nodes[i].is_placeholder()) placeholders.emplace(editing_.graph.nodes[i].name, node_id(i));
    }
    std::vector<QuantizedInput> inputs;
    for (const QuantizedValue& value : values) {
      const NodeId id = placeholders.at(value.name);
      inputs.push_back({id, value.scale, editing_.graph[id].value->tensor.dtype});
    }
    for (std::size_t i = 0; i < values.size(); ++i) become(inputs[i].placeholder, values[i].quantized);
    // PyTorch goes through the placeholders in their order, which is another one than the outputs' if symbols are between them.
    std::ranges::sort(inputs, {}, &QuantizedInput::placeholder);
    return inputs;
  }

  void become(NodeId placeholder, const std::string& target) {
    Node input = input_for(target);
    if (options_.use_scaling.value_or(false)) require_name(input.name, target);
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

  // After the last placeholder that is no tangent.
  void add_scales(const std::vector<QuantizedValue>& values) {
    NodeId last = kNoNode;
    for (std::size_t i = 0; i < editing_.graph.size(); ++i) {
      const Node& node = editing_.graph.nodes[i];
      if (node.is_placeholder() && !is_tangent(node)) last = node_id(i);
    }
    for (const QuantizedValue& value : values) {
      if (value.scale.empty()) continue;
      Node input = input_for(value.scale);
      require_name(input.name, value.scale);
      scales_.emplace(value.scale, last = editing_.add_after(last, std::move(input)));
    }
  }

  void restore(const QuantizedInput& input) {
    NodeId restored;
    if (options_.use_scaling.value_or(false)) {
      const NodeId scales = scales_.at(input.scale);
      restored = QuantizingCalls(editing_, names_, scales).divided(input.placeholder, scales, *input.dtype).value;
    } else {
      const std::string name = "dequant_" + editing_.graph[input.placeholder].name;
      restored = QuantizingCalls(editing_, names_, input.placeholder).cast(input.placeholder, *input.dtype, name);
    }
    for (const NodeId user : users_.of(input.placeholder)) {
      std::vector<NodeId>& inputs = editing_.graph[user].inputs;
      std::replace(inputs.begin(), inputs.end(), input.placeholder, restored);
    }
  }

  Users users_;
  Editing editing_;
  Namespace& names_;
  const ActivationQuantization& options_;
  std::map<std::string_view, const Node*> returned_;
  std::map<std::string, NodeId> scales_;
};

}  // namespace

Quantized quantize_activations(GraphPair graphs, const Crossing& crossing, const JointGraph& joint, NamespacePair& names,
                               const ActivationQuantization& options) {
  const std::set<std::string_view> chosen = values_to_quantize(graphs.forward, crossing, joint, options);
  if (chosen.empty()) return {std::move(graphs), {}};
  require_plain_outputs(graphs.forward);
  Quantized quantized =
      ForwardSide(std::move(graphs.forward), joint, names.forward, options).quantize(chosen);
  quantized.graphs.backward =
      BackwardSide(std::move(graphs.backward), quantized.graphs.forward, names.backward, options).restore(quantized.values);
  return quantized;
}

}  // namespace fxcut
