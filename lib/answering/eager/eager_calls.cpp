#include "eager/eager_calls.h"

#include <array>

#include "policy/policy_subjects.h"

namespace fxcut {
namespace {

// at::dropout calls the fused kernel on these devices only (is_fused_kernel_acceptable in ATen/native/Dropout.cpp).
constexpr std::array<std::string_view, 4> kFusedDropout = {"cuda", "xpu", "lazy", "privateuseone"};

bool has_fused_dropout(std::string_view device) {
  const std::string_view kind = device.substr(0, device.find(':'));
  for (const std::string_view fused : kFusedDropout) {
    if (kind == fused) return true;
  }
  return false;
}

std::string_view device_of_result(const Node& call) {
  if (!call.value) return {};
  if (call.value->is_tensor()) return call.value->tensor.device;
  return call.value->items.empty() ? std::string_view() : std::string_view(call.value->items.front().tensor.device);
}

}  // namespace

bool is_dropout_in_steps(const Node& call) {
  return call.calls("aten.native_dropout.default") && !has_fused_dropout(device_of_result(call));
}

std::string eager_operator(const Node& call) {
  if (is_dropout_in_steps(call)) return "aten.mul.Tensor";  // of the input and what was drawn
  // The form without writes of batch norm, whose kernels are one operator each; the module written counts them as this one.
  if (call.calls("aten._native_batch_norm_legit_functional.default")) return "aten.native_batch_norm.default";
  return call.callee->target;
}

std::string eager_module(const Node& node) {
  constexpr std::string_view kMembers = "_modules[";
  std::string_view traced = node.provenance ? std::string_view(node.provenance->module) : std::string_view();
  if (traced.find('[') == std::string_view::npos) return std::string(traced);
  std::string name;
  while (!traced.empty()) {
    if (traced.starts_with(kMembers)) {
      traced.remove_prefix(kMembers.size());
    } else if (traced.front() == '[') {
      name += '.';
      traced.remove_prefix(1);
    } else {
      if (traced.front() != '\'' && traced.front() != '"' && traced.front() != ']') name += traced.front();
      traced.remove_prefix(1);
    }
  }
  return name;
}

EagerCalls number_calls(const Graph& graph) {
  EagerCalls calls;
  calls.by_node.resize(graph.size());
  const std::vector<bool> is_subject = find_subjects(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || !node.callee->is_overload() || !is_subject[i]) continue;
    if (node.meta.tag == PartitionerTag::IsBackward) continue;
    EagerCall call{eager_module(node), eager_operator(node)};
    call.number = calls.counts[{call.module, call.op}]++;
    calls.by_node[i] = std::move(call);
  }
  return calls;
}

}  // namespace fxcut
