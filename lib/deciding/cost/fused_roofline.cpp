#include "cost/fused_roofline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

#include "classify/host_copies.h"
#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "cost/collective_time.h"
#include "cost/drawn_masks.h"
#include "cost/fusibility.h"
#include "cost/library_time.h"

namespace fxcut {
namespace {

double bytes_of(const Node& node) { return node.value ? traffic_of(*node.value) : 0; }

// These read only the rows of their first operand that they return.
constexpr std::array<std::string_view, 5> kGathers = {"aten.embedding", "aten.index", "aten.index_select", "aten.gather",
                                                      "aten._unsafe_index"};

bool gathers(const Node& node) { return std::ranges::find(kGathers, node.callee->packet) != kGathers.end(); }

// The dimensions that a reduction reduces, by its second argument; empty if it reduces all, or is no reduction.
std::vector<std::int64_t> reduced_dimensions(const Node& node) {
  std::vector<std::int64_t> dimensions;
  if (node.arguments->positional.size() < 2) return dimensions;
  const Argument& given = node.arguments->positional[1];
  const auto add = [&](const Argument& one) {
    if (one.kind == Argument::Kind::Int) dimensions.push_back(one.integer);
  };
  add(given);
  for (const Argument& item : given.items) add(item);
  return dimensions;
}

constexpr double kReduction = 4;  // operands this many times larger than the result (PyTorch's ban on reductions)

bool reduces(double operand_bytes, const Node& node) { return bytes_of(node) * kReduction <= operand_bytes; }

// A reduction over other than the last dimensions is a kernel that other operators do not join.
bool is_own_kernel(const Node& node, const Node& operand) {
  if (!operand.has_tensor()) return false;
  const auto rank = static_cast<std::int64_t>(operand.value->tensor.shape.size());
  std::vector<bool> is_reduced(operand.value->tensor.shape.size(), false);
  for (const std::int64_t dimension : reduced_dimensions(node)) {
    const std::int64_t at = dimension < 0 ? dimension + rank : dimension;
    if (at >= 0 && at < rank) is_reduced[static_cast<std::size_t>(at)] = true;
  }
  const auto first = std::ranges::find(is_reduced, true);
  return std::find(first, is_reduced.end(), false) != is_reduced.end();
}

double elements_of(const Node& node) {
  return node.has_tensor() ? static_cast<double>(num_elements(node.value->tensor)) : 0;
}

// Whether the call computes a number on the host, without memory of the device: a size of a tensor, or arithmetic with sizes.
bool is_of_sizes(const Node& node) {
  return node.is_call() && node.has_symbol() && node.callee->packet != "aten._local_scalar_dense" &&
         node.callee->packet != "aten.item";
}

class FusedRoofline {
 public:
  FusedRoofline(const Graph& graph, const DeviceProfile& device, const Graph* forward)
      : graph_(graph), device_(device), users_(graph), fuses_(graph), memory_(graph.size()), first_user_(graph.size()),
        is_stored_(graph.size()) {
    if (device.elements.store_mask_ns || device.elements.load_mask_ns) masks_.emplace(graph, forward);
    find_memory();
    find_first_users();
    find_stored();
  }

  double ms(NodeId id) const {
    const Node& node = graph_[id];
    if (!node.is_call() || !node.value || computes_nothing(graph_, node) || is_host_copy(node) || is_of_sizes(node)) return 0;
    if (is_fused(node)) {
      return load_ms(id) + computing_ms(node) + (is_stored_[index_of(id)] ? store_ms(id) : 0);
    }
    if (node.meta.runtime_ms) return *node.meta.runtime_ms;
    if (node.callee->is_collective()) return collective_ms(node, std::max(bytes_of(node), read(node)), device_);
    const double ms = library_ms(graph_, node, bytes_of(node) + read(node), device_);
    return fxcut::is_fused(node) ? ms + computing_ms(node) : ms;
  }

  // `narrowest`: by node, the bytes as narrowest_bytes() has them.
  ValueTimes value_times(NodeId id, const std::vector<double>& narrowest) const {
    const double reduced = is_reduction(id) ? narrowest[index_of(graph_[id].inputs.front())] : 0;
    return {ms_of_bytes(reduced), write_elements_ms(id), read_elements_ms(id)};
  }

 private:
  static constexpr double kMsPerUs = 1e-3, kMsPerNs = 1e-6;

  bool is_fused(const Node& node) const { return device_.fuses && fxcut::is_fused(node); }

  double ms_of_bytes(double bytes) const { return ms_of_traffic(bytes, device_); }

  bool is_reduction(NodeId id) const {
    const Node& node = graph_[id];
    if (!is_fused(node) || gathers(node) || !computes(node) || node.inputs.empty()) return false;
    return reduces(bytes_of(graph_[node.inputs.front()]), node);
  }

  // The time to read or write a Boolean beyond its bytes: `bool_ns` per element where half are true, and `mask_ns`, if known,
  // where the rarer value is a tenth.
  double elements_ms(NodeId id, double bool_ns, std::optional<double> mask_ns) const {
    const Node& node = graph_[id];
    const bool is_bool = node.has_tensor() && node.value->tensor.dtype->name == "bool";  // of a byte
    if (!is_bool) return 0;
    const std::optional<double> share = mask_ns ? masks_->rarer_share(id) : std::nullopt;
    const double each = share ? mask_ns_at(*share, bool_ns, *mask_ns) : bool_ns;
    return bytes_of(node) * each * kMsPerNs;
  }
  double write_elements_ms(NodeId id) const {
    return elements_ms(id, device_.elements.store_bool_ns, device_.elements.store_mask_ns);
  }
  double read_elements_ms(NodeId id) const {
    return elements_ms(id, device_.elements.load_bool_ns, device_.elements.load_mask_ns);
  }

  // Between the two shares that were measured, as mispredicted branches are proportional to it.
  static double mask_ns_at(double share, double bool_ns, double mask_ns) {
    constexpr double kOfMasks = 0.1, kOfBools = 0.5;
    return std::lerp(mask_ns, bool_ns, std::clamp((share - kOfMasks) / (kOfBools - kOfMasks), 0.0, 1.0));
  }

  // A kernel ends when something is stored. A stored Boolean is read by the fused operators that use it, too.
  double store_ms(NodeId id) const {
    const double read_back_ms = first_user_[index_of(id)] ? read_elements_ms(id) : 0;
    return ms_of_bytes(bytes_of(graph_[id])) + write_elements_ms(id) + read_back_ms + device_.kernels.least_us * kMsPerUs;
  }

  // Random numbers are drawn one by one. Other operators have an operation on each element, a reduction on each of its operand's.
  // One without an operand, such as a constant, is not in memory and computed with what uses it.
  double computing_ms(const Node& node) const {
    if (draws_from_seed(*node.callee) || is_random(node)) return elements_of(node) * device_.elements.random_ns * kMsPerNs;
    if (node.inputs.empty() || device_.elements.operation_ns == 0) return 0;
    double elements = elements_of(node);
    if (!gathers(node)) {
      for (const NodeId input : node.inputs) elements = std::max(elements, elements_of(graph_[input]));
    }
    return elements * device_.elements.operation_ns * kMsPerNs;
  }

  // The node whose memory a node's value is in: itself, or what it is a view or an item of.
  void find_memory() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      const bool is_alias = node.is_call() && !node.inputs.empty() && computes_nothing(graph_, node);
      memory_[i] = is_alias ? memory_[index_of(node.inputs.front())] : node_id(i);
    }
  }

  bool computes(const Node& node) const { return node.is_call() && !computes_nothing(graph_, node); }

  void find_first_users() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!is_fused(graph_.nodes[i]) || !computes(graph_.nodes[i])) continue;
      for (const NodeId input : graph_.nodes[i].inputs) {
        auto& first = first_user_[index_of(memory_[index_of(input)])];
        if (!first) first = node_id(i);
      }
    }
  }

  void find_stored() {
    for (std::size_t i = graph_.size(); i-- > 0;) {
      is_stored_[i] = std::ranges::any_of(users_.of(i), [&](NodeId user) {
        const Node& node = graph_[user];
        if (node.is_call() && computes_nothing(graph_, node)) return bool(is_stored_[index_of(user)]);
        return !is_fused(node) && !fuses_(node_id(i), user) && !is_of_sizes(node);
      });
    }
  }

  double load_ms(NodeId id) const {
    const Node& node = graph_[id];
    if (node.inputs.empty()) return 0;
    const double operand = bytes_of(graph_[node.inputs.front()]);
    if (reduces(operand, node) && is_own_kernel(node, graph_[node.inputs.front()])) return ms_of_bytes(operand);
    double ms = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const NodeId source = memory_[index_of(node.inputs[i])];
      const auto here = node.inputs.begin() + static_cast<std::ptrdiff_t>(i);
      const bool is_again = std::find(node.inputs.begin(), here, *here) != here;
      if (is_again || is_fused(graph_[source]) || first_user_[index_of(source)] != id) continue;
      ms += ms_of_bytes(bytes_of(graph_[node.inputs[i]])) + read_elements_ms(node.inputs[i]);
    }
    return ms;
  }

  double read(const Node& node) const {
    double bytes = 0;
    for (const NodeId input : node.inputs) bytes += bytes_of(graph_[input]);
    return gathers(node) ? std::min(bytes, bytes_of(node)) : bytes;
  }

  const Graph& graph_;
  const DeviceProfile& device_;
  Users users_;
  Fusibility fuses_;
  std::vector<NodeId> memory_;                     // by node
  std::vector<std::optional<NodeId>> first_user_;  // by node: the first fused operator that takes the value
  std::vector<bool> is_stored_;                    // by node: whether a user, possibly of a view, reads the value from memory
  std::optional<DrawnMasks> masks_;                // if the profile has times of them
};

// Whether users of the result are in other kernels.
bool ends_kernel(const Graph& graph, const Node& node) {
  if (!node.is_call() || computes_nothing(graph, node) || is_of_sizes(node)) return false;
  if (!is_fused(node)) return true;
  if (node.inputs.empty()) return false;
  const Node& operand = graph[node.inputs.front()];
  return reduces(bytes_of(operand), node) && is_own_kernel(node, operand);
}

// For each node, the bytes of its value, or those of the equally large operands that it is computed from, if fewer.
std::vector<double> narrowest_bytes(const Graph& graph) {
  std::vector<double> narrowest;
  for (const Node& node : graph.nodes) {
    double operands = 0;
    for (const NodeId input : node.inputs) {
      if (elements_of(graph[input]) == elements_of(node)) operands += narrowest[index_of(input)];
    }
    const bool has_operands = is_fused(node) && elements_of(node) > 0 && operands > 0;
    narrowest.push_back(has_operands ? std::min(bytes_of(node), operands) : bytes_of(node));
  }
  return narrowest;
}

}  // namespace

bool is_fused(const Node& node) {
  return node.is_call() && (node.callee->is(Operator::Fusible) || draws_from_seed(*node.callee));
}

double ms_of_traffic(double bytes, const DeviceProfile& device) {
  constexpr double kMsPerSecond = 1000, kBytesPerGb = 1e9;
  return kMsPerSecond * bytes / (device.memory_gb_per_second * device.efficiency.memory * kBytesPerGb);
}

std::vector<std::uint32_t> kernels_before(const Graph& graph) {
  std::vector<std::uint32_t> before;
  for (const Node& node : graph.nodes) {
    std::uint32_t most = 0;
    for (const NodeId input : node.inputs) {
      most = std::max(most, before[index_of(input)] + (ends_kernel(graph, graph[input]) ? 1 : 0));
    }
    before.push_back(most);
  }
  return before;
}

double traffic_of(const Value& value) {
  if (value.is_tensor()) return static_cast<double>(std::min(element_bytes(value.tensor), extent_bytes(value.tensor)));
  double bytes = 0;
  for (const Value& item : value.items) bytes += traffic_of(item);
  return bytes;
}

std::vector<double> fused_roofline_ms(const Graph& graph, const DeviceProfile& device, const Graph* forward) {
  const FusedRoofline roofline(graph, device, forward);
  std::vector<double> times;
  for (std::size_t i = 0; i < graph.size(); ++i) times.push_back(roofline.ms(node_id(i)));
  return times;
}

std::vector<ValueTimes> value_times(const Graph& graph, const DeviceProfile& device) {
  const FusedRoofline roofline(graph, device, nullptr);
  const std::vector<double> narrowest = narrowest_bytes(graph);
  std::vector<ValueTimes> times;
  for (std::size_t i = 0; i < graph.size(); ++i) times.push_back(roofline.value_times(node_id(i), narrowest));
  return times;
}

double run_time_ms(const Graph& graph, const DeviceProfile& device, const Graph* forward) {
  const std::vector<double> times = fused_roofline_ms(graph, device, forward);
  return std::accumulate(times.begin(), times.end(), 0.0);
}

}  // namespace fxcut
