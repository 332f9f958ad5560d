// Storages kept, kept in fewer bits, or not kept, within a limit of saved bytes: the solver against every choice, on random
// problems with views.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "frontier/budget_search.h"
#include "frontier/recompute_problem.h"
#include "frontier/with_forms.h"
#include "seeds.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxValues = 8;

// Values that each take one to two of those before them; some have a view, which costs nothing, in their storage.
struct RandomProblem {
  explicit RandomProblem(std::uint32_t seed) : random(seed) {
    problem.storages = {{0, 0, 0}};
    problem.inputs_begin = {0};
    const auto values = static_cast<std::size_t>(4 + below(static_cast<int>(kMaxValues) - 3));
    for (std::size_t i = 0; i < values; ++i) add_value(i + 1 == values);
  }

  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); }

  void add_value(bool is_last) {
    std::vector<ItemIndex> inputs;
    for (int count = problem.items.empty() ? 0 : 1 + below(2); count > 0; --count) {
      const auto input = static_cast<ItemIndex>(below(static_cast<int>(problem.items.size())));
      if (inputs.empty() || inputs.front() != input) inputs.push_back(input);
    }
    std::ranges::sort(inputs);
    const std::int64_t bytes = 8 * (1 + below(9));
    problem.storages.push_back({bytes, 1, below(3)});
    forms.emplace_back();
    if (below(4) > 0) forms.back() = FormOfFewerBits{Compression::Scaled, nullptr, bytes / 2, 0, below(12)};
    const auto storage = static_cast<StorageIndex>(problem.storages.size() - 1);
    add_item({.node = node_id(problem.items.size()), .storage = storage, .savable = true, .demanded = is_last || below(2) > 0,
              .run_cost = 1 + below(30)},
             inputs);
    if (below(3) > 0) return;
    const auto root = static_cast<ItemIndex>(problem.items.size() - 1);
    forms.push_back(std::nullopt);
    add_item({.node = node_id(problem.items.size()), .storage = storage, .savable = true, .demanded = below(2) > 0,
              .run_cost = 0, .is_view = true},
             {root});
  }

  void add_item(const Item& item, const std::vector<ItemIndex>& inputs) {
    problem.items.push_back(item);
    problem.inputs.insert(problem.inputs.end(), inputs.begin(), inputs.end());
    problem.inputs_begin.push_back(static_cast<std::uint32_t>(problem.inputs.size()));
  }

  std::mt19937 random;
  RecomputeProblem problem;
  std::vector<std::optional<FormOfFewerBits>> forms;  // by node, which here is by item
};

// The least cost of all choices within the limit, with a count of its own.
class EveryChoice {
 public:
  explicit EveryChoice(const RandomProblem& random) : problem_(random.problem), forms_(random.forms) {}

  std::optional<Int128> least_within(std::int64_t limit) {
    least_.reset();
    std::vector<int> how(problem_.storages.size(), 0);
    try_from(1, how, limit);
    return least_;
  }

 private:
  enum How { Not = 0, Kept = 1, InForm = 2 };

  void try_from(std::size_t storage, std::vector<int>& how, std::int64_t limit) {
    if (storage == problem_.storages.size()) return try_choice(how, limit);
    const int last = form_of(storage) ? InForm : Kept;
    for (how[storage] = Not; how[storage] <= last; ++how[storage]) try_from(storage + 1, how, limit);
    how[storage] = Not;
  }

  const FormOfFewerBits* form_of(std::size_t storage) const {
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      if (problem_.items[i].storage == storage && forms_[i]) return &*forms_[i];
    }
    return nullptr;
  }

  void try_choice(const std::vector<int>& how, std::int64_t limit) {
    Int128 cost = 0;
    std::int64_t bytes = 0;
    for (std::size_t s = 1; s < how.size(); ++s) {
      if (how[s] == Kept) bytes += problem_.storages[s].bytes, cost += problem_.storages[s].keep_cost;
      if (how[s] == InForm) bytes += form_of(s)->bytes, cost += form_of(s)->cost;
    }
    if (bytes > limit) return;
    std::vector<bool> needed(problem_.items.size(), false);
    for (ItemIndex i = static_cast<ItemIndex>(problem_.items.size()); i-- > 0;) {
      const Item& item = problem_.items[i];
      needed[i] = needed[i] || item.demanded;
      // A view is there with its storage; from a form it is made at its own cost, which is 0.
      if (!needed[i] || how[item.storage] != Not) continue;
      cost += item.run_cost;
      for (const ItemIndex input : problem_.inputs_of(i)) needed[input] = true;
    }
    if (!least_ || cost < *least_) least_ = cost;
  }

  const RecomputeProblem& problem_;
  const std::vector<std::optional<FormOfFewerBits>>& forms_;
  std::optional<Int128> least_;
};

TEST(WithForms, IsSolvedAsEveryChoiceIs) {
  int with_forms_better = 0, proven = 0, checked = 0;
  for (std::uint32_t seed = 1; seed <= seeds(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomProblem random(seed);
    std::int64_t all = 0;
    for (const KeepableStorage& storage : random.problem.storages) all += storage.bytes;
    const RecomputeProblem larger = with_forms(random.problem, random.forms);
    for (const std::int64_t limit : {all / 6, all / 3, all / 2}) {
      const std::optional<Int128> least = EveryChoice(random).least_within(limit);
      const BudgetAnswer answer = search_within(larger, limit, {});
      const BudgetAnswer without = search_within(random.problem, limit, {});
      ASSERT_TRUE(least && answer.choice && without.choice);
      EXPECT_LE(answer.bound, *least);
      EXPECT_GE(answer.choice->run_cost, *least);
      EXPECT_LE(static_cast<double>(answer.choice->run_cost), 1.01 * static_cast<double>(*least));
      EXPECT_LE(answer.choice->run_cost, without.choice->run_cost);
      with_forms_better += answer.choice->run_cost < without.choice->run_cost ? 1 : 0;
      proven += answer.is_proven ? 1 : 0;
      ++checked;
    }
  }
  EXPECT_GT(with_forms_better, checked / 4);
  EXPECT_GT(proven, checked * 9 / 10);
}

}  // namespace
}  // namespace fxcut
