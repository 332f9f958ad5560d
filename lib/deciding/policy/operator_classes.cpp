#include "policy/operator_classes.h"

#include <algorithm>
#include <array>

#include "classify/purity.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

template <std::size_t count>
bool is_one_of(std::string_view packet, const std::array<std::string_view, count>& packets) {
  return std::ranges::find(packets, packet) != packets.end();
}

// Also a library's own: "flash_attn::_flash_attn_forward".
bool is_attention(const Operator& op) {
  const std::string_view packet = op.packet;
  return packet.find("_attention") != std::string_view::npos || packet.find("flash_attn") != std::string_view::npos;
}

constexpr std::array<std::string_view, 22> kProducts = {
    "aten.mm", "aten.addmm", "aten.bmm", "aten.baddbmm", "aten.addbmm", "aten.matmul", "aten.linear", "aten.bilinear",
    "aten.einsum", "aten.mv", "aten.addmv", "aten.dot", "aten.vdot", "aten._addmm_activation", "aten._grouped_mm",
    "aten._scaled_mm", "aten._scaled_mm_v2", "aten._scaled_grouped_mm", "aten._int_mm", "aten._weight_int8pack_mm",
    "aten._weight_int4pack_mm", "mkldnn._linear_pointwise"};

bool is_convolution(const Operator& op) {
  constexpr std::string_view kBegins = "._", kGoesOn = "o_123";  // conv, as a word: convolution, conv_transpose, conv2d
  const std::string_view name = op.packet;
  for (std::size_t at = name.find("conv"); at != std::string_view::npos; at = name.find("conv", at + 1)) {
    const std::string_view next = name.substr(at + 4);
    const bool is_word = at > 0 && kBegins.find(name[at - 1]) != std::string_view::npos;
    if (is_word && (next.empty() || kGoesOn.find(next.front()) != std::string_view::npos)) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 18> kNormalizations = {
    "aten.layer_norm", "aten.native_layer_norm", "aten.batch_norm", "aten.native_batch_norm", "aten._native_batch_norm_legit",
    "aten._native_batch_norm_legit_functional", "aten._native_batch_norm_legit_no_training", "aten.cudnn_batch_norm",
    "aten.miopen_batch_norm", "aten._batch_norm_with_update", "aten._batch_norm_with_update_functional",
    "aten._batch_norm_no_update", "aten._batch_norm_impl_index", "aten.group_norm", "aten.native_group_norm",
    "aten.instance_norm", "aten.rms_norm", "aten._fused_rms_norm"};

bool is_random(const Operator& op) {
  return op.is(Operator::Random) || (op.seeded_random && !is_attention(op)) || draws_from_seed(op);
}

bool is_cheap(const Operator& op) {
  return op.is(Operator::Fusible) && op.is(Operator::Recomputable) && !op.is(Operator::ComputeIntensive) &&
         !op.is(Operator::View) && !is_random(op);
}

bool is_of(const Operator& op, OperatorClass operators) {
  switch (operators) {
    case OperatorClass::Attention: return is_attention(op);
    case OperatorClass::Matmul: return is_one_of(op.packet, kProducts);
    case OperatorClass::Convolution: return is_convolution(op);
    case OperatorClass::Normalization: return is_one_of(op.packet, kNormalizations);
    case OperatorClass::Collective: return op.is_collective() || op.space == "c10d_functional";
    case OperatorClass::Random: return is_random(op);
    case OperatorClass::Cheap: return is_cheap(op);
  }
  return false;
}

// Follows what an operator decomposes into: by node, in the graph's order, so that inputs are known.
class Followed {
 public:
  explicit Followed(const Graph& graph) : holds_(graph.size()) {}

  void set(NodeId id, bool holds) { holds_[index_of(id)] = holds; }
  bool any_input(const Node& node) const {
    return std::ranges::any_of(node.inputs, [&](NodeId input) { return holds_[index_of(input)]; });
  }
  bool first_input(const Node& node) const { return !node.inputs.empty() && holds_[index_of(node.inputs.front())]; }

  // The same elements: a view, an item, a cast, a copy.
  bool is_passed_on(const Node& node) const {
    const bool is_item = node.calls("operator.getitem");
    return (node.callee->is(Operator::View) || is_item || copies_elements(node)) && first_input(node);
  }

  // Whether it holds for some input, and `other` for all those for which it does not.
  bool with_others(const Node& node, const auto& other) const {
    return any_input(node) &&
           std::ranges::all_of(node.inputs, [&](NodeId input) { return holds_[index_of(input)] || other(input); });
  }

 private:
  std::vector<bool> holds_;
};

// Whether a softmax may be masked by the value: booleans, also as numbers, or a constant for the hidden elements.
bool is_mask(const Graph& graph, NodeId id) {
  const auto is_cast = [](const Node& node) { return calls_any(node, {"prims.convert_element_type", "aten._to_copy"}); };
  while (graph[id].is_call() && !graph[id].inputs.empty() && is_cast(graph[id])) id = graph[id].inputs.front();
  const Node& node = graph[id];
  return (node.is_call() && node.inputs.empty()) || (node.has_tensor() && node.value->tensor.dtype->name == "bool");
}

// The product of a softmax, which may be dropped out and scaled, and of the values.
void add_decomposed_attention(const Graph& graph, std::vector<bool>& are) {
  Followed softmax(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call()) continue;
    const bool is_softmax = calls_any(node, {"aten._softmax", "aten._safe_softmax", "aten.softmax"}) ||
                            (calls_any(node, {"aten.div"}) && !node.inputs.empty() && graph[node.inputs.front()].is_call() &&
                             calls_any(graph[node.inputs.front()], {"aten.exp"}));
    const bool is_dropped = calls_any(node, {"aten.native_dropout", "aten.dropout"}) && softmax.first_input(node);
    const bool is_scaled = calls_any(node, {"aten.mul", "aten.where"}) &&
                           softmax.with_others(node, [&](NodeId other) { return is_mask(graph, other); });
    softmax.set(node_id(i), is_softmax || is_dropped || is_scaled || softmax.is_passed_on(node));
    if (calls_any(node, {"aten.bmm", "aten.baddbmm", "aten.matmul", "aten.einsum"}) && softmax.any_input(node)) are[i] = true;
  }
}

// Its statistics, what they are subtracted from and scale, and the weight and bias of that.
void add_decomposed_normalization(const Graph& graph, std::vector<bool>& are) {
  Followed statistics(graph), parameters(graph), normalized(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    parameters.set(node_id(i), node.meta.static_lifetime || (node.is_call() && parameters.is_passed_on(node)));
    if (!node.is_call()) continue;
    const bool is_statistic = calls_any(node, {"aten.var_mean", "aten.rsqrt"});
    statistics.set(node_id(i), is_statistic || statistics.is_passed_on(node));
    const bool is_pointwise = calls_any(node, {"aten.mul", "aten.sub", "aten.add"});
    const bool is_scaled = calls_any(node, {"aten.mul", "aten.sub"}) && statistics.any_input(node);
    const bool has_weight = is_pointwise && normalized.any_input(node) && parameters.any_input(node);
    const bool is_normalized = is_scaled || has_weight || normalized.is_passed_on(node);
    normalized.set(node_id(i), is_normalized);
    are[i] = are[i] || is_statistic || is_scaled || has_weight || (is_normalized && !node.callee->is(Operator::View));
  }
}

}  // namespace

bool calls_any(const Node& call, std::initializer_list<std::string_view> packets) {
  return std::ranges::find(packets, std::string_view(call.callee->packet)) != packets.end();
}

std::vector<bool> calls_of(const Graph& graph, OperatorClass operators) {
  std::vector<bool> are(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) are[i] = graph.nodes[i].is_call() && is_of(*graph.nodes[i].callee, operators);
  if (operators == OperatorClass::Attention) add_decomposed_attention(graph, are);
  if (operators == OperatorClass::Normalization) add_decomposed_normalization(graph, are);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.calls("operator.getitem") && !node.inputs.empty()) are[i] = are[index_of(node.inputs.front())];
  }
  return are;
}

}  // namespace fxcut
