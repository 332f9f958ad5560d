// What a step may save and recompute, boiled down to numbers.
//
// Items are the values of the forward that the backward may come to need. What it needs for certain is `demanded`; an
// item that is needed and not saved is run again, for which it needs its own inputs. What is saved is memory: once a
// storage is kept, all values in it are at hand. So the one decision is which storages to keep, and all else follows
// (evaluate.h).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"
#include "cost/storage.h"
#include "graph/wide.h"

namespace fxcut {

// Positions in RecomputeProblem::items and ::storages.
using ItemIndex = std::uint32_t;
inline constexpr ItemIndex kNoItem = 0xffffffff;

// In the place of a limit of saved bytes.
inline constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
using StorageIndex = std::uint32_t;

// The storage of what costs no memory: symbolic numbers, and what lives anyway. It is always kept.
inline constexpr StorageIndex kFreeStorage = 0;
inline constexpr StorageIndex kNoStorage = 0xffffffff;

struct Item {
  NodeId node;
  StorageIndex storage = kNoStorage;  // in whose memory its value lies
  bool savable = false;               // keeping the storage is having the item
  bool demanded = false;              // the backward needs it, whatever is saved
  Ban never = Ban::None;              // why it must not be run again
  bool in_forward = true;             // the forward runs it in any case; else only what is saved makes it do so
  Wide run_cost = 0;                  // of running it once more
  bool is_view = false;               // made from what lies in its storage, and from nothing else that costs memory
};

struct KeepableStorage {
  std::int64_t bytes = 0;
  std::uint32_t roots = 0;  // how many items in it can be saved and are no views
};

struct RecomputeProblem {
  std::vector<Item> items;  // in execution order
  std::vector<KeepableStorage> storages;
  std::vector<std::uint32_t> inputs_begin;  // by item, into `inputs`
  std::vector<ItemIndex> inputs;            // each once an item

  std::span<const ItemIndex> inputs_of(ItemIndex i) const {
    return {inputs.data() + inputs_begin[i], inputs.data() + inputs_begin[i + 1]};
  }
  bool is_stuck(const Item& item) const { return item.never != Ban::None && !item.savable; }
};

// The problem of a joint graph whose storages have these sizes. `run_costs`: by node, what running it once more costs.
// Throws Failure (NoPartition) where these are too much to count.
RecomputeProblem recompute_problem(const Analysis& analysis, const StorageBytes& storages,
                                   const std::vector<Wide>& run_costs);

// The floating point operations of each node, as the report's totals count them: at least 1 a call, and nothing else.
std::vector<Wide> flops_by_node(const Analysis& analysis);

}  // namespace fxcut
