#include "host/storage_uses.h"

#include <algorithm>
#include <limits>

namespace fxcut {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

}  // namespace

StorageUses::StorageUses(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times)
    : a_(analysis), problem_(problem), run_times_(run_times), movable_(analysis, problem, run_times),
      item_of_(analysis.graph().size(), kNoItem), direct_use_(analysis.graph().size(), kNever) {
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].is_form()) item_of_[index_of(problem.items[i].node)] = i;
  }
  find_direct_uses();
}

// Values that belong neither to the problem nor to the forward depend on backward-only values.
void StorageUses::find_direct_uses() {
  const std::vector<Node>& nodes = a_.graph().nodes;
  own_begin_.assign(nodes.size() + 1, 0);
  first_gradient_ = nodes.size();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool runs = nodes[i].is_call() && a_.roles.tangents_closure[i];
    own_begin_[i + 1] = own_begin_[i] + (runs ? static_cast<double>(run_times_[i]) : 0);
    if (first_gradient_ == nodes.size() && uses_gradient(a_.graph(), nodes[i])) first_gradient_ = i;
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].is_output() || item_of_[i] != kNoItem || a_.roles.required_forward[i]) continue;
    const std::size_t use = a_.roles.tangents_closure[i] ? i : direct_use_[i];
    for (const NodeId input : nodes[i].inputs) direct_use_[index_of(input)] = std::min(direct_use_[index_of(input)], use);
  }
}

void StorageUses::run_forward(const Evaluation& evaluation) {
  const std::vector<Node>& nodes = a_.graph().nodes;
  runs_.assign(nodes.size(), 0);
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    if (evaluation.is_saved(i)) runs_[index_of(problem_.items[i].node)] = 1;
  }
  for (std::size_t i = nodes.size(); i-- > 0;) {
    const bool runs = runs_[i] != 0 || a_.roles.required_forward[i];
    runs_[i] = runs && !a_.roles.tangents_closure[i] && !nodes[i].is_output() ? 1 : 0;
    if (runs_[i] == 0) continue;
    for (const NodeId input : nodes[i].inputs) runs_[index_of(input)] = 1;
  }
  end_.resize(nodes.size());
  forward_time_ = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (runs_[i] != 0 && nodes[i].is_call()) forward_time_ += static_cast<double>(run_times_[i]);
    end_[i] = forward_time_;
  }
}

// A recomputed item needs its inputs when it is needed itself.
void StorageUses::run_backward(const Evaluation& evaluation) {
  const std::size_t turns = a_.graph().size();
  at_.assign(problem_.items.size(), {});
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) at_[i].turn = direct_use_[index_of(problem_.items[i].node)];
  for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
    if (!evaluation.is_recomputed(i)) continue;
    const std::size_t own = index_of(problem_.items[i].node);
    if (own >= first_gradient_) at_[i].turn = std::min(at_[i].turn, own);
    for (const ItemIndex input : problem_.inputs_of(i)) at_[input].turn = std::min(at_[input].turn, at_[i].turn);
  }
  recomputed_before_.assign(turns + 2, 0);  // first by turn: picoseconds recomputed in it
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    at_[i].turn = std::min(at_[i].turn, turns);
    if (!evaluation.is_recomputed(i) || problem_.items[i].is_form()) continue;
    double& in_turn = recomputed_before_[at_[i].turn + 1];
    at_[i].within = in_turn;
    in_turn += static_cast<double>(run_times_[index_of(problem_.items[i].node)]);
  }
  for (std::size_t turn = 1; turn < recomputed_before_.size(); ++turn) recomputed_before_[turn] += recomputed_before_[turn - 1];
}

void StorageUses::find_last_uses() {
  const std::vector<Node>& nodes = a_.graph().nodes;
  last_use_ = end_;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (runs_[i] == 0) continue;
    const bool is_view = nodes[i].is_call() && nodes[i].callee->is(Operator::View);
    const double last = is_view ? last_use_[i] : end_[i];
    for (const NodeId input : nodes[i].inputs) last_use_[index_of(input)] = std::max(last_use_[index_of(input)], last);
  }
}

double StorageUses::first_use(const Evaluation& evaluation, NodeId value) const {
  const std::size_t end = a_.graph().size();
  const std::size_t direct = std::min(direct_use_[index_of(value)], end);
  double first = own_begin_[direct] + recomputed_before_[direct + 1];
  for (const NodeId user : a_.users.of(value)) {
    const ItemIndex i = item_of_[index_of(user)];
    if (i == kNoItem || !evaluation.is_recomputed(i)) continue;
    const At& at = at_[i];
    first = std::min(first, own_begin_[at.turn] + recomputed_before_[at.turn] + at.within);
  }
  return first;
}

StorageUse StorageUses::use_of(const Evaluation& evaluation, ItemIndex i) const {
  const Item& item = problem_.items[i];
  const std::int64_t scales = item.is_form() ? problem_.forms[item.form].scale_bytes : 0;
  return {item.storage, item.node, movable_.bytes_of(i), (item.is_form() ? end_ : last_use_)[index_of(item.node)],
          first_use(evaluation, item.node), problem_.storages[item.storage].bytes - scales, item.is_form()};
}

std::vector<StorageUse> StorageUses::of(const Evaluation& evaluation) {
  run_forward(evaluation);
  run_backward(evaluation);
  find_last_uses();
  std::vector<StorageUse> uses;
  std::vector<std::size_t> use_of_storage(problem_.storages.size(), kNever);
  std::vector<bool> has_several(problem_.storages.size(), false);
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    const Item& item = problem_.items[i];
    if (!evaluation.is_saved(i) || !item.has_storage() || !movable_.may_move(item.storage)) continue;
    has_several[item.storage] = use_of_storage[item.storage] != kNever || !a_.node(item.node).has_tensor();
    if (use_of_storage[item.storage] != kNever) continue;
    use_of_storage[item.storage] = uses.size();
    uses.push_back(use_of(evaluation, i));
  }
  std::erase_if(uses, [&](const StorageUse& use) { return has_several[use.storage]; });
  return uses;
}

std::vector<StorageUse> StorageUses::if_saved(const Evaluation& evaluation) {
  run_forward(evaluation);
  run_backward(evaluation);
  find_last_uses();
  std::vector<StorageUse> uses(problem_.items.size());
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    const Item& item = problem_.items[i];
    if (!item.has_storage() || !item.savable || !movable_.may_move(item.storage) || !a_.node(item.node).has_tensor()) continue;
    uses[i] = use_of(evaluation, i);
  }
  return uses;
}

}  // namespace fxcut
