#include "frontier/recompute_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "classify/purity.h"
#include "cost/flops.h"
#include "cost/saving.h"
#include "diagnostic/diagnostic.h"
#include "frontier/kernel_costs.h"
#include "frontier/never_recomputed.h"

namespace fxcut {
namespace {

// The one storage of all tensors of a value; nothing if there are none, or several.
std::optional<std::int64_t> common_storage(const Value& value) {
  if (value.is_tensor()) return value.tensor.storage;
  std::optional<std::int64_t> common;
  for (const Value& item : value.items) {
    const auto storage = common_storage(item);
    if (!storage || (common && common != storage)) return std::nullopt;
    common = storage;
  }
  return common;
}

// The storages by the graph's numbers.
class Storages {
 public:
  Storages(const Analysis& analysis, const StorageBytes& bytes) : a_(analysis), bytes_(bytes) {
    for (const Node& node : a_.graph().nodes) {
      if (node.meta.static_lifetime && node.has_tensor() && node.value->tensor.storage) {
        index_.emplace(*node.value->tensor.storage, kFreeStorage);
      }
    }
  }

  StorageIndex of(const Node& node) {
    if (node.meta.static_lifetime || node.has_symbol()) return kFreeStorage;
    if (!node.value) return kFreeStorage;  // without memory in the totals
    if (const auto number = common_storage(*node.value)) return numbered(*number);
    return node.has_tensor() ? add(element_bytes(node.value->tensor)) : kNoStorage;
  }
  std::vector<KeepableStorage> take() { return std::move(storages_); }

 private:
  StorageIndex numbered(std::int64_t number) {
    const auto [found, is_new] = index_.emplace(number, kNoStorage);
    if (is_new) found->second = add(bytes_.at(number));
    return found->second;
  }
  StorageIndex add(std::int64_t bytes) {
    if (bytes == 0) return kFreeStorage;
    storages_.push_back({bytes, 0});
    return static_cast<StorageIndex>(storages_.size() - 1);
  }

  const Analysis& a_;
  const StorageBytes& bytes_;
  std::unordered_map<std::int64_t, StorageIndex> index_;
  std::vector<KeepableStorage> storages_ = {{0, 0}};  // the free one
};

// Whether the tensor has more elements than its memory: it repeats some of them, as aten.expand's result does.
bool repeats_elements(const Value& value) {
  return value.is_tensor() && element_bytes(value.tensor) > extent_bytes(value.tensor);
}

class Building {
 public:
  Building(const Analysis& analysis, const StorageBytes& storages, const std::vector<Int128>& run_costs)
      : a_(analysis), storages_(analysis, storages), run_costs_(run_costs), item_of_(analysis.graph().size(), kNoItem) {}

  RecomputeProblem run() {
    never_ = never_recomputed(a_);
    savings_ = saving_costs(a_);
    find_demanded();
    find_backward_only();
    find_relevant();
    find_in_forward();
    problem_.inputs_begin.push_back(0);
    for (std::size_t i = 0; i < relevant_.size(); ++i) {
      if (relevant_[i]) add(node_id(i));
    }
    problem_.storages = storages_.take();
    find_views();
    spread_stuck();
    return std::move(problem_);
  }

 private:
  bool is_candidate(std::size_t i) const {
    return !a_.roles.tangents_closure[i] && !a_.graph().nodes[i].is_output() && !backward_only_[i];
  }
  bool is_savable(NodeId id) const {
    // Inductor's seeds have the tag where the region is the first to draw (PyTorch 2.15), and are never recomputed here. What
    // would be recomputed as another value is saved in spite of its tag, as make_sound() would (partition/decision.h).
    const bool is_tagged = a_.node(id).must_recompute() && !draws_seeds(a_.node(id)) && never_[index_of(id)] != Ban::Overwritten;
    return savings_[index_of(id)].unsavable == Unsavable::No && !is_tagged;
  }

  void find_demanded() {
    const Graph& graph = a_.graph();
    demanded_ = a_.roles.required_backward;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (!a_.roles.tangents_closure[i] || graph.nodes[i].is_output()) continue;
      for (const NodeId input : graph.nodes[i].inputs) demanded_[index_of(input)] = true;
    }
  }
  // Nodes that depend on a seed or state of the backward are the backward's own, unless the forward needs them.
  void find_backward_only() {
    const Graph& graph = a_.graph();
    backward_only_.assign(graph.size(), false);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Node& node = graph.nodes[i];
      const bool is_given = is_backward_seed(node) || is_backward_state(node);
      const bool uses_one = !a_.roles.required_forward[i] &&
                            std::ranges::any_of(node.inputs, [&](NodeId input) { return backward_only_[index_of(input)]; });
      backward_only_[i] = !a_.roles.tangents_closure[i] && !node.is_output() && (is_given || uses_one);
      if (!backward_only_[i]) continue;
      for (const NodeId input : node.inputs) demanded_[index_of(input)] = true;
    }
  }
  // Demanded nodes, and the inputs needed to recompute them.
  void find_relevant() {
    const Graph& graph = a_.graph();
    relevant_.assign(graph.size(), false);
    for (std::size_t i = graph.size(); i-- > 0;) {
      if (!is_candidate(i)) continue;
      relevant_[i] = relevant_[i] || demanded_[i];
      if (!relevant_[i] || never_[i] != Ban::None) continue;
      for (const NodeId input : graph.nodes[i].inputs) relevant_[index_of(input)] = true;
    }
    for (std::size_t i = 0; i < graph.size(); ++i) relevant_[i] = relevant_[i] && is_candidate(i);
  }
  // Nodes that cannot be recomputed run in the forward, with their inputs.
  void find_in_forward() {
    const Graph& graph = a_.graph();
    in_forward_ = a_.roles.required_forward;
    for (std::size_t i = graph.size(); i-- > 0;) {
      in_forward_[i] = in_forward_[i] || (relevant_[i] && never_[i] != Ban::None);
      if (!in_forward_[i]) continue;
      for (const NodeId input : graph.nodes[i].inputs) in_forward_[index_of(input)] = true;
    }
  }

  void add(NodeId id) {
    const std::size_t i = index_of(id);
    const Node& node = a_.node(id);
    item_of_[i] = static_cast<ItemIndex>(problem_.items.size());
    Item item{.node = id,
              .storage = storages_.of(node),
              .savable = is_savable(id),
              .demanded = demanded_[i],
              .never = never_[i],
              .in_forward = in_forward_[i],
              .run_cost = run_costs_[i]};
    if (item.savable && item.storage == kNoStorage) item.storage = kFreeStorage;  // opaque values
    problem_.items.push_back(item);
    const std::size_t begin = problem_.inputs.size();
    for (const NodeId input : node.inputs) {
      if (item_of_[index_of(input)] != kNoItem) problem_.inputs.push_back(item_of_[index_of(input)]);
    }
    const auto first = problem_.inputs.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(first, problem_.inputs.end());
    problem_.inputs.erase(std::unique(first, problem_.inputs.end()), problem_.inputs.end());
    problem_.inputs_begin.push_back(static_cast<std::uint32_t>(problem_.inputs.size()));
  }

  // Inductor writes an output that repeats elements to memory of its own, with all of them (GraphLowering.output). Saved, it
  // would take more than its storage, and what it is a view of can be saved in its place.
  bool is_copied_whole(const Item& item) const {
    return a_.joint.compiler == kInductor && repeats_elements(*a_.node(item.node).value);
  }

  void find_views() {
    std::vector<bool> rooted(problem_.items.size(), false);  // a storage's root, or a view of it
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      Item& item = problem_.items[i];
      if (!item.has_storage()) continue;
      bool is_view = false, uses_more = false;
      for (const ItemIndex input : problem_.inputs_of(i)) {
        const bool in_storage = problem_.items[input].storage == item.storage && rooted[input];
        is_view = is_view || in_storage;
        uses_more = uses_more || (!in_storage && !problem_.items[input].is_always_available());
      }
      item.is_view = item.never == Ban::None && is_view && !uses_more;
      item.savable = item.savable && !(item.is_view && is_copied_whole(item));
      rooted[i] = item.is_view || item.savable;
      if (item.savable && !item.is_view) ++problem_.storages[item.storage].roots;
    }
  }
  // Users of an item that can neither be saved nor recomputed cannot be recomputed either.
  void spread_stuck() {
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      Item& item = problem_.items[i];
      for (const ItemIndex input : problem_.inputs_of(i)) {
        const Item& used = problem_.items[input];
        if (item.never == Ban::None && problem_.is_stuck(used)) item.never = used.never;
      }
    }
  }

  const Analysis& a_;
  Storages storages_;
  const std::vector<Int128>& run_costs_;
  std::vector<Ban> never_;
  std::vector<SavingCost> savings_;
  std::vector<bool> demanded_, backward_only_, relevant_, in_forward_;  // by node
  std::vector<ItemIndex> item_of_;
  RecomputeProblem problem_;
};

// Prices are fractions of run cost and bytes, and the sum of all costs at a price has to fit 127 bits.
void require_countable(const RecomputeProblem& problem) {
  constexpr double kMost = 0x1p124;
  double run_cost = 1, bytes = 1;
  for (const Item& item : problem.items) run_cost += static_cast<double>(item.run_cost);
  for (const KeepableStorage& storage : problem.storages) {
    bytes += static_cast<double>(storage.bytes);
    run_cost += static_cast<double>(storage.keep_cost);
  }
  if (run_cost * bytes < kMost) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("the solver frontier cannot count as far as {:.2g} bytes at {:.2g} FLOP", bytes, run_cost),
                "check the sizes in the graph, or use another solver");
}

}  // namespace

RecomputeProblem recompute_problem(const Analysis& analysis, const StorageBytes& storages, const std::vector<Int128>& run_costs) {
  RecomputeProblem problem = Building(analysis, storages, run_costs).run();
  require_countable(problem);
  return problem;
}

std::vector<Int128> flops_by_node(const Analysis& analysis) {
  std::vector<Int128> flops(analysis.graph().size(), 0);
  for (std::size_t i = 0; i < flops.size(); ++i) {
    const Node& node = analysis.graph().nodes[i];
    // Tagged random operators run under a wrapper, which the totals do not count.
    const bool is_wrapped = node.must_recompute() && draws_numbers(node);
    if (node.is_call() && !is_wrapped) flops[i] = estimate_flops(analysis.graph(), node, analysis.joint.torch.release);
  }
  return flops;
}

RecomputeProblem operators_problem(const Analysis& a, const StorageBytes& storages, const Estimator& estimator) {
  RecomputeProblem problem = recompute_problem(a, storages, flops_by_node(a));
  if (&estimator == &estimators().front()) return problem;
  std::vector<NodeId> nodes;
  for (const Item& item : problem.items) {
    if (item.never == Ban::None && item.run_cost > 0) nodes.push_back(item.node);
  }
  const std::vector<Int128> costs = cost_of_nodes(estimator, a.graph(), nodes, a.settings, a.joint.torch.release);
  std::vector<Int128> by_node(a.graph().size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) by_node[index_of(nodes[i])] = costs[i];
  for (Item& item : problem.items) item.run_cost = by_node[index_of(item.node)];
  require_countable(problem);
  return problem;
}

void without_saving_costs(RecomputeProblem& problem) {
  for (KeepableStorage& storage : problem.storages) storage.keep_cost = 0;
}

RecomputeProblem costed_problem(const Analysis& a, const StorageBytes& storages, const Estimator& estimator) {
  RecomputeProblem problem = operators_problem(a, storages, estimator);
  if (prices_kernels(a.settings, estimator)) price_kernels(problem, a);
  require_countable(problem);
  return problem;
}

}  // namespace fxcut
