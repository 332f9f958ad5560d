#include "host/storage_uses.h"

#include <algorithm>
#include <limits>

namespace fxcut {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

bool has_storage(const Item& item) { return item.storage != kNoStorage && item.storage != kFreeStorage; }

}  // namespace

StorageUses::StorageUses(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Wide>& run_times)
    : a_(analysis), problem_(problem), run_times_(run_times), last_in_forward_(problem.storages.size(), 0),
      may_move_(problem.storages.size(), true), latest_first_use_(problem.storages.size(), kNoTime),
      position_in_backward_(problem.items.size(), kNever) {
  find_last_uses();
  find_first_uses();
  find_returned();
}

void StorageUses::find_last_uses() {
  std::vector<double> end(a_.graph().size(), 0);
  for (std::size_t i = 0; i < end.size(); ++i) {
    const Node& node = a_.graph().nodes[i];
    if (node.is_call() && !a_.roles.tangents_closure[i]) forward_time_ += static_cast<double>(run_times_[i]);
    end[i] = forward_time_;
  }
  for (const Item& item : problem_.items) {
    if (!has_storage(item)) continue;
    double& last = last_in_forward_[item.storage];
    last = std::max(last, end[index_of(item.node)]);
    for (const NodeId user : a_.users.of(item.node)) {
      if (!a_.roles.tangents_closure[index_of(user)] && !a_.node(user).is_output()) last = std::max(last, end[index_of(user)]);
    }
  }
}

void StorageUses::find_first_uses() {
  std::vector<std::size_t> position(a_.graph().size(), kNever);
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Node& node = a_.graph().nodes[i];
    if (!node.is_call() || !a_.roles.tangents_closure[i]) continue;
    position[i] = backward_begins_.size();
    backward_begins_.push_back(backward_time_);
    backward_time_ += static_cast<double>(run_times_[i]);
  }
  backward_begins_.push_back(backward_time_);
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    for (const NodeId user : a_.users.of(problem_.items[i].node)) {
      position_in_backward_[i] = std::min(position_in_backward_[i], position[index_of(user)]);
    }
    const Item& item = problem_.items[i];
    if (!has_storage(item) || !item.savable || position_in_backward_[i] == kNever) continue;
    latest_first_use_[item.storage] = std::min(latest_first_use_[item.storage], backward_begins_[position_in_backward_[i]]);
  }
}

// Memory that the caller has in any case, or that holds inputs, is not freed by copying it.
void StorageUses::find_returned() {
  std::vector<bool> is_returned(a_.graph().size(), false);
  const std::vector<OutputLeaf> outputs = output_leaves(a_.graph());
  for (std::size_t i = 0; i < std::min(outputs.size(), a_.joint.num_forward_outputs); ++i) {
    if (outputs[i].node) is_returned[index_of(*outputs[i].node)] = true;
  }
  for (const Item& item : problem_.items) {
    if (has_storage(item) && (is_returned[index_of(item.node)] || !a_.node(item.node).is_call())) may_move_[item.storage] = false;
  }
}

// What is recomputed needs its inputs when it is needed itself.
void StorageUses::propagate_needs(const Evaluation& evaluation) {
  needed_at_ = position_in_backward_;
  for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
    if (!evaluation.is_recomputed(i)) continue;
    for (const ItemIndex input : problem_.inputs_of(i)) needed_at_[input] = std::min(needed_at_[input], needed_at_[i]);
  }
}

std::vector<StorageUse> StorageUses::of(const Evaluation& evaluation) {
  propagate_needs(evaluation);
  std::vector<double> recomputed(backward_begins_.size() + 1, 0);  // by position: what runs again before it
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    if (!evaluation.is_recomputed(i) || needed_at_[i] == kNever) continue;
    recomputed[needed_at_[i] + 1] += static_cast<double>(problem_.items[i].run_cost);
  }
  for (std::size_t p = 1; p < recomputed.size(); ++p) recomputed[p] += recomputed[p - 1];
  std::vector<StorageUse> uses;
  std::vector<std::size_t> use_of(problem_.storages.size(), kNever);
  std::vector<bool> has_several(problem_.storages.size(), false);
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    const Item& item = problem_.items[i];
    if (!evaluation.is_saved(i) || !has_storage(item) || !may_move_[item.storage]) continue;
    has_several[item.storage] = use_of[item.storage] != kNever || !a_.node(item.node).has_tensor();
    if (use_of[item.storage] != kNever) continue;
    use_of[item.storage] = uses.size();
    const std::size_t at = std::min(needed_at_[i], backward_begins_.size() - 1);
    uses.push_back({item.storage, item.node, problem_.storages[item.storage].bytes, last_in_forward_[item.storage],
                    backward_begins_[at] + recomputed[at]});
  }
  std::erase_if(uses, [&](const StorageUse& use) { return has_several[use.storage]; });
  return uses;
}

}  // namespace fxcut
