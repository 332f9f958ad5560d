#include "frontier/with_forms.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

// The items whose storage may be kept in another form: the only root of it, and what can be recomputed from the form.
std::vector<bool> find_roots(const RecomputeProblem& problem, const std::vector<std::optional<FormOfFewerBits>>& forms) {
  std::vector<bool> is_root(problem.items.size(), false), has_stuck(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    const bool is_stuck_view = item.savable && item.is_view && item.never != Ban::None;
    if (is_stuck_view) has_stuck[item.storage] = true;
  }
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    const bool has_memory = item.savable && item.has_storage();
    if (!has_memory || item.is_view || !forms[index_of(item.node)]) continue;
    const KeepableStorage& storage = problem.storages[item.storage];
    is_root[i] = storage.roots == 1 && !has_stuck[item.storage] && forms[index_of(item.node)]->bytes < storage.bytes;
  }
  return is_root;
}

class Extending {
 public:
  Extending(const RecomputeProblem& problem, const std::vector<std::optional<FormOfFewerBits>>& forms)
      : from_(problem), forms_(forms), is_root_(find_roots(problem, forms)), has_form_(problem.storages.size(), false) {
    for (ItemIndex i = 0; i < problem.items.size(); ++i) {
      if (is_root_[i]) has_form_[problem.items[i].storage] = true;
    }
  }

  RecomputeProblem run() {
    to_.storages = from_.storages;
    to_.prices_kernels = from_.prices_kernels;
    to_.inputs_begin.push_back(0);
    for (ItemIndex i = 0; i < from_.items.size(); ++i) {
      add(i);
      if (is_root_[i]) add_form(i);
    }
    return std::move(to_);
  }

 private:
  void add(ItemIndex i) {
    Item item = from_.items[i];
    if (is_root_[i]) {
      item.demanded = false;
      if (forms_[index_of(item.node)]->is_fixed) cannot_be_saved(item);
    }
    if (item.is_view && has_form_[item.storage]) item.savable = item.is_view = false;
    std::vector<ItemIndex> inputs;
    for (const ItemIndex input : from_.inputs_of(i)) inputs.push_back(available_as_[input]);
    append(item, std::move(inputs));
    available_as_.push_back(last());
  }

  static void cannot_be_saved(Item& item) {
    item.savable = false;
    item.storage = kNoStorage;
  }

  void add_form(ItemIndex i) {
    const FormOfFewerBits& form = *forms_[index_of(from_.items[i].node)];
    const ItemIndex value = last();
    Item item = from_.items[i];
    item.storage = static_cast<StorageIndex>(to_.storages.size());
    if (!form.is_fixed) item.never = Ban::None;  // else it cannot be made from the value, where that cannot be recomputed
    item.run_cost = 0;
    item.form = static_cast<std::uint32_t>(to_.forms.size());
    to_.forms.push_back(form);
    to_.storages.push_back({form.bytes, 1, form.cost});
    append(item, {value});
    available_as_.back() = last();
  }

  void append(const Item& item, std::vector<ItemIndex> inputs) {
    std::ranges::sort(inputs);
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    to_.items.push_back(item);
    to_.inputs.insert(to_.inputs.end(), inputs.begin(), inputs.end());
    to_.inputs_begin.push_back(static_cast<std::uint32_t>(to_.inputs.size()));
  }

  ItemIndex last() const { return static_cast<ItemIndex>(to_.items.size() - 1); }

  const RecomputeProblem& from_;
  const std::vector<std::optional<FormOfFewerBits>>& forms_;
  std::vector<bool> is_root_;   // by item
  std::vector<bool> has_form_;  // by storage
  std::vector<ItemIndex> available_as_;  // by item: that from which its users have it
  RecomputeProblem to_;
};

}  // namespace

RecomputeProblem with_forms(const RecomputeProblem& problem, const std::vector<std::optional<FormOfFewerBits>>& forms) {
  return Extending(problem, forms).run();
}

RecomputeProblem with_allowed_forms(const Analysis& analysis, RecomputeProblem problem) {
  const bool may_have_any = analysis.settings.compress != Compress::None ||
                            std::ranges::any_of(analysis.graph().nodes, [](const Node& node) { return node.meta.compress_to; });
  return may_have_any ? with_forms(problem, forms_of_fewer_bits(analysis)) : std::move(problem);
}

std::map<NodeId, CompressedAs> compressed_in(const Evaluation& evaluation, const RecomputeProblem& problem) {
  std::map<NodeId, CompressedAs> compressed;
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (!item.is_form() || !evaluation.is_saved(i)) continue;
    compressed.emplace(item.node, CompressedAs{problem.forms[item.form].how, problem.forms[item.form].dtype});
  }
  return compressed;
}

}  // namespace fxcut
