#include "host/movable_storages.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "cost/size.h"

namespace fxcut {

class MovableStorages::Finding {
 public:
  Finding(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times, MovableStorages& found)
      : a_(analysis), problem_(problem), run_times_(run_times), found_(found), runs_(analysis.graph().size(), false),
        end_(analysis.graph().size(), 0) {}

  void run() {
    find_values();
    find_caller_memory();
    find_surely_in_forward();
    find_times();
    find_last_uses();
    find_first_uses();
  }

 private:
  double time_of(std::size_t node) const {
    return a_.graph().nodes[node].is_call() ? static_cast<double>(run_times_[node]) : 0;
  }

  // The bytes that a copy moves: a form counts without its scales, which stay on the device.
  std::int64_t bytes_of(const Item& item) const {
    if (!item.is_form()) return find_size(a_.node(item.node), a_.settings).value_or(0);
    const FormOfFewerBits& form = problem_.forms[item.form];
    return form.bytes - form.scale_bytes;
  }

  void find_values() {
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      const bool is_value = item.has_storage() && item.savable && a_.node(item.node).has_tensor();
      found_.bytes_.push_back(is_value ? bytes_of(item) : 0);
      if (!is_value) continue;
      Storage& storage = found_.storages_[item.storage];
      storage.may_move = true;
      if (storage.num_values++ == 0) storage.first = i;
      const std::int64_t fewest = storage.first == i ? problem_.storages[item.storage].bytes : storage.fewest_bytes;
      storage.fewest_bytes = std::min(fewest, found_.bytes_[i]);
    }
  }

  void find_caller_memory() {
    std::unordered_set<NodeId> of_caller(a_.roles.inputs.begin(), a_.roles.inputs.end());
    const std::vector<OutputLeaf> outputs = output_leaves(a_.graph());
    for (std::size_t i = 0; i < std::min(outputs.size(), a_.joint.num_forward_outputs); ++i) {
      if (outputs[i].node) of_caller.insert(*outputs[i].node);
    }
    std::unordered_set<std::int64_t> numbers;
    for (const NodeId id : of_caller) {
      if (const auto number = a_.node(id).storage()) numbers.insert(*number);
    }
    for (const Item& item : problem_.items) {
      if (!item.has_storage() || item.is_form()) continue;
      const auto number = a_.node(item.node).storage();
      const bool is_shared = number && numbers.contains(*number);
      if (is_shared || of_caller.contains(item.node)) found_.storages_[item.storage].may_move = false;
    }
  }

  // Marks what outputs of the forward need, and what the backward needs and cannot recompute.
  void find_surely_in_forward() {
    for (const Item& item : problem_.items) {
      if (item.demanded && item.never != Ban::None) runs_[index_of(item.node)] = true;
    }
    for (std::size_t i = runs_.size(); i-- > 0;) {
      runs_[i] = (runs_[i] || a_.roles.required_forward[i]) && !a_.roles.tangents_closure[i] && !a_.graph().nodes[i].is_output();
      if (!runs_[i]) continue;
      for (const NodeId input : a_.graph().nodes[i].inputs) runs_[index_of(input)] = true;
    }
    for (const Item& item : problem_.items) found_.surely_in_forward_.push_back(runs_[index_of(item.node)]);
  }

  void find_times() {
    std::vector<double> counted(runs_.size(), 0);  // of what may run in the backward: as the problem counts it
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const std::size_t node = index_of(problem_.items[i].node);
      const bool is_counted = found_.surely_in_forward_[i] && !problem_.items[i].is_form();
      if (is_counted) counted[node] = static_cast<double>(problem_.items[i].run_cost);
      is_item_[node] = true;
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!a_.roles.tangents_closure[i]) {
        found_.most_forward_time_ += time_of(i);
        if (is_item_[i] || !runs_[i]) found_.most_uncounted_time_ += std::max(0.0, time_of(i) - counted[i]);
      }
      end_[i] = found_.most_forward_time_;
    }
  }

  // The earliest possible last use: by a node that surely runs and takes the value, or a view of it. Nothing takes a form.
  void find_last_uses() {
    std::vector<double> last = end_;
    for (std::size_t i = runs_.size(); i-- > 0;) {
      for (const NodeId user : a_.users.of(node_id(i))) {
        const Node& used_by = a_.node(user);
        if (!runs_[index_of(user)]) continue;
        const bool is_view = used_by.is_call() && used_by.callee->is(Operator::View);
        last[i] = std::max(last[i], is_view ? last[index_of(user)] : end_[index_of(user)]);
      }
    }
    for_each_value([&](Storage& storage, ItemIndex i) {
      const Item& item = problem_.items[i];
      const double last_use = (item.is_form() ? end_ : last)[index_of(item.node)];
      storage.last_in_forward = std::min(storage.last_in_forward, last_use);
    });
  }

  // The latest possible first use: by a backward-only node that takes the value, or a view recomputed from it.
  void find_first_uses() {
    std::vector<double> begins(runs_.size(), 0);
    double now = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      begins[i] = now;
      if (a_.roles.tangents_closure[i]) now += time_of(i);
    }
    std::vector<double> first(problem_.items.size(), kNoTime);
    for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
      const Item& item = problem_.items[i];
      for (const NodeId user : a_.users.of(item.node)) {
        const bool takes = a_.roles.tangents_closure[index_of(user)] && a_.node(user).is_call();
        if (takes) first[i] = std::min(first[i], begins[index_of(user)]);
      }
      if (!item.has_storage() || !item.is_view) continue;
      for (const ItemIndex input : problem_.inputs_of(i)) {
        if (problem_.items[input].storage == item.storage) first[input] = std::min(first[input], first[i]);
      }
    }
    for_each_value(
        [&](Storage& storage, ItemIndex i) { storage.latest_first_use = std::max(storage.latest_first_use, first[i]); });
  }

  void for_each_value(const auto& visit) {
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      if (item.has_storage() && item.savable && a_.node(item.node).has_tensor()) visit(found_.storages_[item.storage], i);
    }
  }

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const std::vector<Int128>& run_times_;
  MovableStorages& found_;
  std::vector<bool> runs_;  // by node: surely in the forward
  std::vector<double> end_;  // by node
  std::vector<bool> is_item_ = std::vector<bool>(runs_.size(), false);
};

MovableStorages::MovableStorages(const Analysis& analysis, const RecomputeProblem& problem, const std::vector<Int128>& run_times)
    : storages_(problem.storages.size()) {
  Finding(analysis, problem, run_times, *this).run();
}

}  // namespace fxcut
