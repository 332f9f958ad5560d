#include "inductor/added_products.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "graph/strides.h"
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

// _is_bias_like_addmm_input.
bool is_bias_like(const Node& added, const Tensor& result) {
  const Tensor& tensor = *tensor_of(added);
  if (!added.is_call() || hints_of(tensor.shape) != hints_of(result.shape)) return true;
  return std::ranges::any_of(strides_of(tensor), [](std::int64_t stride) { return stride == 0; });
}

class AddedProducts {
 public:
  AddedProducts(const Graph& graph, const Users& users, const InductorRules& rules)
      : graph_(graph), rules_(rules), users_(users), products_(graph.size()) {}

  // Backwards from the last sum, like PatternMatcherPass.apply: a sum that became a product is not a pointwise reader of earlier
  // ones.
  std::vector<std::optional<NodeId>> run() {
    for (std::size_t i = graph_.size(); i-- > 0;) {
      const Node& sum = graph_.nodes[i];
      if (!sum.calls("aten.add.Tensor") || !sum.arguments->keyword.empty() || sum.inputs.size() != 2) continue;
      for (const std::size_t position : {1U, 0U}) {  // the pattern of the second term is the first that is tried
        if (!products_[i] && is_added(i, sum.inputs[position], sum.inputs[1 - position])) products_[i] = sum.inputs[position];
      }
    }
    return std::move(products_);
  }

 private:
  bool is_added(std::size_t sum, NodeId product, NodeId addend) const {
    if (!graph_[product].calls("aten.mm.default") || users_.of(product).size() != 1) return false;
    return can_add(graph_, product, addend) && !stays_apart(sum, addend);
  }

  // should_prefer_unfused_addmm.
  bool stays_apart(std::size_t sum, NodeId addend) const {
    if (rules_.joins_calls) return false;  // on a CPU
    if (rules_.adds_whole_matrices && !is_bias_like(graph_[addend], *tensor_of(graph_.nodes[sum]))) return false;
    return is_read_pointwise(sum);
  }

  // is_pointwise_use for all readers; for views, for the views' readers.
  bool is_read_pointwise(std::size_t node) const {
    return std::ranges::all_of(users_.of(node), [&](NodeId reader) {
      if (!graph_[reader].is_call() || products_[index_of(reader)]) return false;
      const Lowering lowering = lowering_of(graph_[reader]);
      return lowering == Lowering::Pointwise || (lowering == Lowering::View && is_read_pointwise(index_of(reader)));
    });
  }

  const Graph& graph_;
  const InductorRules& rules_;
  const Users& users_;
  std::vector<std::optional<NodeId>> products_;
};

}  // namespace

std::vector<std::optional<NodeId>> added_products(const Graph& graph, const Users& users, const InductorRules& rules) {
  return AddedProducts(graph, users, rules).run();
}

}  // namespace fxcut
