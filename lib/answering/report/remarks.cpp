#include "report/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "classify/views_and_writes.h"
#include "graph/nodes_by_name.h"
#include "graph/value.h"
#include "inductor/lowering_rules.h"
#include "policy/operator_classes.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMinBytes = 1 << 20;           // that are worth a remark
constexpr Int128 kCopiesPart = 100, kLargestPart = 30;  // of what is held, and of the peak
constexpr Int128 kAlonePart = 2;                        // of what the peak is above what is held between the sides

bool is_copy(const Node& node) {
  return node.is_call() && !node.inputs.empty() && (lowering_of(node) == Lowering::View || copies_elements(node));
}

bool is_whole_copy(const Graph& graph, const Node& node) {
  if (!is_copy(node) || !node.has_tensor()) return false;
  const Node& input = graph[node.inputs.front()];
  const bool is_on_same_device = input.has_tensor() && input.value->tensor.device == node.value->tensor.device;
  return is_on_same_device && num_elements(node.value->tensor) == num_elements(input.value->tensor);
}

// For each node, the value from which it differs only by dtype and layout; the node itself, if there is none.
std::vector<NodeId> find_sources(const Graph& graph) {
  std::vector<NodeId> sources;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    sources.push_back(is_whole_copy(graph, node) ? sources[index_of(node.inputs.front())] : node_id(i));
  }
  return sources;
}

class Remarks {
 public:
  Remarks(const Report& report, const Graph& joint) : report_(report), joint_(joint), node_of_(nodes_by_name(joint)) {}

  std::optional<Remark> copies() const {
    const std::vector<NodeId> sources = find_sources(joint_);
    std::map<NodeId, std::vector<const SavedValue*>> by_source;
    for (const SavedValue& value : report_.saved_values) {
      const auto node = node_of_.find(value.name);
      if (node != node_of_.end() && value.kept_bytes > 0 && value.host_name.empty()) {
        by_source[sources[index_of(node->second)]].push_back(&value);
      }
    }
    Remark remark{RemarkKind::Copies, 0, {}, {}};
    for (const auto& [source, values] : by_source) {
      const bool is_input = joint_[source].is_placeholder() && !is_tangent(joint_[source]);
      for (std::size_t i = is_input ? 0 : 1; i < values.size(); ++i) {
        if (values[i]->name == joint_[source].name) continue;
        remark.bytes += values[i]->kept_bytes;
        remark.values.push_back(values[i]->name);
      }
    }
    if (remark.bytes < kMinBytes || remark.bytes * kCopiesPart < report_.totals.saved_bytes_not_static) return std::nullopt;
    remark.text =
        fmt::format("in {}: inputs or saved values in another dtype or layout", show_count(remark.values.size(), "value"));
    return remark;
  }

  std::optional<Remark> largest() const {
    const std::vector<MemoryHeld>& at_peak = report_.memory.counted_at_peak();
    const auto found = std::ranges::find_if(at_peak, [](const MemoryHeld& held) {
      return held.kind == MemoryKind::Temporary || held.kind == MemoryKind::Recomputed;
    });
    if (found == at_peak.end() || !sets_peak(found->size_bytes)) return std::nullopt;
    const auto node = node_of_.find(found->made_at.node);
    if (node == node_of_.end() || !joint_[node->second].has_tensor()) return std::nullopt;
    const Tensor& tensor = joint_[node->second].value->tensor;
    const bool of_loss = is_of_loss(node->second);
    return Remark{of_loss ? RemarkKind::LargestOfLoss : RemarkKind::Largest, found->size_bytes, {found->made_at.node},
                  fmt::format("in one value, {}{} {}{}", of_loss ? "" : found->made_at.node + ": ", tensor.dtype->name,
                              show_shape(tensor.shape), of_loss ? ": a loss in chunks avoids it" : "")};
  }

 private:
  bool sets_peak(std::int64_t bytes) const {
    const MemoryReport& memory = report_.memory;
    const Int128 peak = memory.counted_peak_bytes();
    const Int128 between = memory.counted_between_bytes();
    return bytes >= kMinBytes && bytes * kLargestPart >= peak && bytes * kAlonePart >= peak - between;
  }

  // The logits are the result of the forward's last product, on which no other depends.
  bool is_of_loss(NodeId id) const {
    const std::vector<bool> is_product = calls_of(joint_, OperatorClass::Matmul);
    std::vector<bool> after_tangent(joint_.size(), false), after_product(joint_.size(), false);
    std::optional<NodeId> logits;
    for (std::size_t i = 0; i < joint_.size(); ++i) {
      const Node& node = joint_.nodes[i];
      const auto depends = [&](const std::vector<bool>& on) {
        return std::ranges::any_of(node.inputs, [&](NodeId input) { return on[index_of(input)]; });
      };
      after_tangent[i] = is_tangent(node) || depends(after_tangent);
      if (is_product[i] && !after_tangent[i]) logits = node_id(i);
      after_product[i] = after_tangent[i] && (is_product[i] || depends(after_product));
    }
    if (!logits || !joint_[*logits].has_tensor() || after_product[index_of(id)] || index_of(id) < index_of(*logits)) return false;
    const Tensor &value = joint_[id].value->tensor, &of_logits = joint_[*logits].value->tensor;
    const auto columns = [](const Tensor& tensor) { return tensor.shape.empty() ? 1 : hints_of(tensor.shape).back(); };
    return columns(value) == columns(of_logits) && num_elements(value) == num_elements(of_logits);
  }

  const Report& report_;
  const Graph& joint_;
  NodesByName node_of_;
};

}  // namespace

std::string_view name_of(RemarkKind kind) {
  constexpr std::string_view kNames[] = {"copies", "largest", "largest_of_loss"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Remark> remarks_on(const Report& report, const Graph& joint) {
  const Remarks all(report, joint);
  std::vector<Remark> remarks;
  for (auto& remark : {all.copies(), all.largest()}) {
    if (remark) remarks.push_back(*remark);
  }
  return remarks;
}

}  // namespace fxcut
