#include "quantize/quantize_activations.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "quantize/chosen_values.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

constexpr std::string_view kQuant = "fp8_quant_", kScale = "fp8_scale_";

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

// Calls `add` with each output of the forward that is for the backward, and its position.
void for_each_crossing(const Graph& forward, const JointGraph& joint, const auto& add) {
  const std::vector<OutputLeaf> outputs = output_leaves(forward);
  for (std::size_t i = joint.num_forward_outputs; i < outputs.size(); ++i) {
    if (outputs[i].node) add(i, forward[*outputs[i].node]);
  }
}

}  // namespace

Quantized quantize_activations(GraphPair graphs, const Crossing& crossing, const JointGraph& joint, NamespacePair& names,
                               const ActivationQuantization& options) {
  const std::set<std::string_view> chosen = values_to_quantize(graphs.forward, crossing, joint, options);
  if (chosen.empty()) return {std::move(graphs), {}};
  require_plain_outputs(graphs.forward);
  const bool scales = options.use_scaling.value_or(true);
  std::vector<CompressedCrossing> crossings;
  for_each_crossing(graphs.forward, joint, [&](std::size_t position, const Node& node) {
    if (!chosen.contains(node.name)) return;
    if (scales) require_rows(node);
    const std::string suffix = fmt::format("pos_{}_{}", position, node.name);
    crossings.push_back({.position = position,
                         .how = scales ? Compression::Scaled : Compression::Cast,
                         .dtype = find_dtype(find_quantized_dtype(options.quant_type)->name),
                         .divides = options.use_scaling.value_or(false),
                         .name = std::string(kQuant) + suffix,
                         .scale = std::string(kScale) + suffix,
                         .is_found_by_name = true});
  });
  return cross_compressed(std::move(graphs), crossings, names);
}

Quantized compress_as_decided(GraphPair graphs, const Crossing& crossing, const JointGraph& joint,
                              std::optional<NodeId> ordered_from, NamespacePair& names) {
  std::unordered_map<std::string_view, const Meta*> decided;
  for (const NodeId id : crossing.values) {
    const Node& node = joint.graph[id];
    if (node.meta.compression != Compression::None) decided.emplace(node.name, &node.meta);
  }
  std::vector<CompressedCrossing> crossings;
  for_each_crossing(graphs.forward, joint, [&](std::size_t position, const Node& node) {
    const auto found = decided.find(node.name);
    if (found == decided.end()) return;
    crossings.push_back({.position = position,
                         .how = found->second->compression,
                         .dtype = found->second->compressed_dtype,
                         .name = "compressed_" + node.name,
                         .scale = "compressed_scale_" + node.name});
  });
  return cross_compressed(std::move(graphs), crossings, names, ordered_from);
}

}  // namespace fxcut
