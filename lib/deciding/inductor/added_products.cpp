#include "inductor/added_products.h"

#include <algorithm>
#include <cstddef>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

const Tensor* tensor_of(const Node& node) { return node.has_tensor() ? &node.value->tensor : nullptr; }

// is_expandable_to().
bool expands_to(const Sizes& from, const Sizes& to) {
  if (from.size() > to.size()) return false;
  return std::equal(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(to.size() - from.size()),
                    [](const Size& one, const Size& other) { return one.hint == 1 || one.hint == other.hint; });
}

// is_valid_addmm_fusion().
bool can_add(const Graph& graph, NodeId product, NodeId addend) {
  const Tensor *result = tensor_of(graph[product]), *added = tensor_of(graph[addend]);
  return result && added && added->dtype == result->dtype && expands_to(added->shape, result->shape);
}

}  // namespace

std::vector<std::optional<NodeId>> added_products(const Graph& graph, bool apart_on_gpu) {
  const Users users(graph);
  std::vector<std::optional<NodeId>> products(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& sum = graph.nodes[i];
    if (!sum.calls("aten.add.Tensor") || !sum.arguments->keyword.empty() || sum.inputs.size() != 2) continue;
    const auto pointwise = [&](NodeId reader) {
      return graph[reader].is_call() && lowering_of(graph[reader]) == Lowering::Pointwise;
    };
    if (apart_on_gpu && std::ranges::all_of(users.of(i), pointwise)) continue;
    for (const std::size_t position : {1U, 0U}) {  // the pattern of the second term is the first that is tried
      const NodeId product = sum.inputs[position];
      if (!graph[product].calls("aten.mm.default") || users.of(product).size() != 1) continue;
      if (!can_add(graph, product, sum.inputs[1 - position])) continue;
      products[i] = product;
      break;
    }
  }
  return products;
}

}  // namespace fxcut
