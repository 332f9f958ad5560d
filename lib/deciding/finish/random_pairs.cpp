#include "finish/random_pairs.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "classify/purity.h"

namespace fxcut {
namespace {

bool is_cuda(const Value& value) {
  const std::string& device = value.tensor.device;
  return value.is_tensor() && (device == "cuda" || device.starts_with("cuda:"));
}

// The first CUDA device among the node's values; empty for other devices. A node without a value counts as on a device
// of its own, as in PyTorch.
std::string cuda_device(const Node& node) {
  if (!node.value) return "unknown";
  if (is_cuda(*node.value)) return node.value->tensor.device;
  if (node.value->kind != Value::Kind::Tuple) return {};
  for (const Value& item : node.value->items) {
    if (is_cuda(item)) return item.tensor.device;
  }
  return {};
}

}  // namespace

std::vector<RandomPair> find_random_pairs(const Graph& forward, const Graph& backward, bool allow_graph_safe) {
  std::unordered_map<std::string_view, NodeId> in_backward;
  for (std::size_t i = 0; i < backward.size(); ++i) {
    if (is_random(backward.nodes[i])) in_backward.emplace(backward.nodes[i].name, node_id(i));
  }
  std::vector<RandomPair> pairs;
  std::set<std::string> devices;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const Node& node = forward.nodes[i];
    if (!is_random(node) || !node.must_recompute()) continue;
    const auto found = in_backward.find(node.name);
    if (found == in_backward.end()) continue;
    const std::string device = cuda_device(node);
    if (!device.empty()) devices.insert(device);
    const bool on_cuda = node.value && !device.empty();
    pairs.push_back({node_id(i), found->second, allow_graph_safe && on_cuda,
                     on_cuda ? RandomPair::kCudaStateBytes : RandomPair::kCpuStateBytes});
  }
  if (devices.size() > 1) {
    for (RandomPair& pair : pairs) pair.graph_safe = false;
  }
  return pairs;
}

}  // namespace fxcut
