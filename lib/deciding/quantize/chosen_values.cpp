#include "quantize/chosen_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "quantize/quantized_dtypes.h"

namespace fxcut {
namespace {

constexpr double kMegabyte = 1024 * 1024;  // PyTorch's calculate_tensor_size

const char* const kSwitchOff = "leave activation_quantization_aten_pass out of the settings, as it has to be for PyTorch";

// PyTorch reads the name of every output.
void require_named_outputs(const Graph& forward) {
  const std::vector<OutputLeaf> outputs = output_leaves(forward);
  const auto constant = std::ranges::find_if(outputs, [](const OutputLeaf& leaf) { return !leaf.node; });
  if (constant == outputs.end()) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("output {} of the forward, in '{}', is a constant: quantizing activations takes graphs that return "
                            "nodes only",
                            constant - outputs.begin(), forward.output().name),
                kSwitchOff);
}

bool has_symbols(const Tensor& tensor) {
  return std::ranges::any_of(tensor.shape, [](const Size& size) { return size.expression != nullptr; });
}

// Whether one of the sizes depends on data.
bool is_of_unknown_size(const Tensor& tensor, const JointGraph& joint) {
  return std::ranges::any_of(tensor.shape, [&](const Size& size) {
    return size.expression &&
           std::ranges::any_of(size.expression->symbols, [&](const std::string& symbol) { return is_unbacked(joint, symbol); });
  });
}

bool is_large(const Node& node, const JointGraph& joint, const ActivationQuantization& options) {
  const Tensor& tensor = node.value->tensor;
  const double size = static_cast<double>(element_bytes(tensor)) / kMegabyte;
  const bool is_dynamic = has_symbols(tensor);
  if (options.skip_dynamo_guards && is_dynamic) return options.quantize_dynamic_shape;
  if (is_dynamic && is_of_unknown_size(tensor, joint)) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("the size of '{}' depends on data: PyTorch cannot decide whether to quantize it", node.name),
                  "set activation_quantization_aten_pass.skip_dynamo_guards");
  }
  return size >= options.size_in_mb;
}

// PyTorch's should_quantize.
bool is_to_quantize(const Node& node, const std::vector<const Dtype*>& dtypes, const JointGraph& joint,
                    const ActivationQuantization& options) {
  if (!node.value) return false;
  if (!node.has_tensor()) {
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' is saved, but is not a tensor: PyTorch's quantization of activations fails on it", node.name),
                  kSwitchOff);
  }
  return std::ranges::find(dtypes, node.value->tensor.dtype) != dtypes.end() && is_large(node, joint, options);
}

}  // namespace

std::set<std::string_view> values_to_quantize(const Graph& forward, const Crossing& crossing, const JointGraph& joint,
                                              const ActivationQuantization& options) {
  require_named_outputs(forward);
  std::unordered_set<std::string_view> saved;
  for (const NodeId id : crossing.values) {
    const Node& node = joint.graph[id];
    if (!node.meta.static_lifetime && !(options.exclude_primals && node.name.find("primals") != std::string::npos)) {
      saved.insert(node.name);
    }
  }
  const std::vector<const Dtype*> dtypes = *parse_dtypes(options.allowed_dtypes);
  std::set<std::string_view> chosen;
  for (const NodeId output : forward.output().inputs) {
    const Node& node = forward[output];
    const auto found = saved.find(node.name);
    if (found != saved.end() && is_to_quantize(node, dtypes, joint, options)) chosen.insert(*found);
  }
  return chosen;
}

}  // namespace fxcut
