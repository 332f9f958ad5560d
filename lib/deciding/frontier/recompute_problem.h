// The decision of a step as a problem in numbers.
//
// Items are the values of the forward that the backward may need. Those that it needs in any case are `demanded`; an item that
// is needed and not saved is recomputed, and then needs its own inputs. Saving keeps memory: all values in a kept storage are
// available. So the only decision is which storages to keep; everything else follows (evaluate.h). What that costs is the sum of
// what is recomputed and of what keeping takes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compress/forms.h"
#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/estimators.h"
#include "cost/size.h"
#include "graph/int128.h"

namespace fxcut {

// Positions in RecomputeProblem::items and ::storages.
using ItemIndex = std::uint32_t;
inline constexpr ItemIndex kNoItem = 0xffffffff;

// As a limit of saved bytes: none.
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
using StorageIndex = std::uint32_t;

// The storage of values without memory of their own: symbolic sizes and always resident values. It is always kept.
inline constexpr StorageIndex kFreeStorage = 0;
inline constexpr StorageIndex kNoStorage = 0xffffffff;

inline constexpr std::uint32_t kNoForm = 0xffffffff;

struct Item {
  NodeId node;
  StorageIndex storage = kNoStorage;  // of its value
  bool savable = false;               // available if the storage is kept
  bool demanded = false;              // the backward needs it, whatever is saved
  Ban never = Ban::None;              // why it must not be recomputed
  bool in_forward = true;             // the forward runs it in any case; else only for saved values
  Int128 run_cost = 0;                // of recomputing it
  bool is_view = false;               // made from values of its storage, and from no others with memory
  std::uint32_t form = kNoForm;       // in RecomputeProblem::forms, if it is one in which its node's value is kept (with_forms.h)

  bool is_form() const { return form != kNoForm; }
  // Whether its value is in a storage that is kept or not: not in none, nor in the one that is always kept.
  bool has_storage() const { return storage != kNoStorage && storage != kFreeStorage; }
  bool is_always_available() const { return savable && storage == kFreeStorage; }

  // Has it in memory at no cost, in the storage that is always kept.
  void release() {
    savable = true;
    storage = kFreeStorage;
    is_view = false;
  }
};

struct KeepableStorage {
  std::int64_t bytes = 0;
  std::uint32_t roots = 0;  // the number of savable items in it that are not views
  Int128 keep_cost = 0;     // of writing it, where no kernel of the forward does so unless it is kept (kernel_costs.h)
};

struct RecomputeProblem {
  std::vector<Item> items;  // in execution order
  std::vector<KeepableStorage> storages;
  std::vector<std::uint32_t> inputs_begin;  // by item, into `inputs`
  std::vector<ItemIndex> inputs;            // each once an item
  std::vector<FormOfFewerBits> forms;       // of the items that are forms, in their order
  bool prices_kernels = false;              // by kernel_costs.h

  std::span<const ItemIndex> inputs_of(ItemIndex i) const {
    return {inputs.data() + inputs_begin[i], inputs.data() + inputs_begin[i + 1]};
  }
  bool is_stuck(const Item& item) const { return item.never != Ban::None && !item.savable; }
};

// The problem of a joint graph whose storages have these sizes. `run_costs`: by node, the cost of recomputing it. Throws
// Failure (NoPartition) if their sum is too large to count.
RecomputeProblem recompute_problem(const Analysis& analysis, const StorageBytes& storages, const std::vector<Int128>& run_costs);

// The FLOPs of each node, as the report's totals count them: at least 1 for a call, 0 for other nodes.
std::vector<Int128> flops_by_node(const Analysis& analysis);

// The recompute problem in the costs of an estimator. Recomputing a node costs the estimate of `estimator`, computed only for
// nodes that may be recomputed; nodes that the report's totals do not count (flops_by_node) are free here too. Items and storages
// do not depend on the estimator, but for what keeping costs: kernel_costs.h, where that applies. Throws Failure (NoPartition)
// naming the nodes without an estimate, and as recompute_problem does.
RecomputeProblem costed_problem(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator);

// The same by the estimator's prices alone, also where kernels are priced.
RecomputeProblem operators_problem(const Analysis& analysis, const StorageBytes& storages, const Estimator& estimator);

// Has keeping cost nothing: where "kept" does not mean that the forward saved it.
void without_saving_costs(RecomputeProblem& problem);

}  // namespace fxcut
