#include "frontier/unmet_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNamed = 5;

std::string describe(const Analysis& a, const RecomputeProblem& problem, ItemIndex i) {
  const Item& item = problem.items[i];
  const Node& node = a.node(item.node);
  const std::string why = item.never != Ban::None ? fmt::format("not recomputed: {}", phrase_for(item.never))
                                                  : "recomputing it would take more memory";
  return fmt::format("\n    {:>9}  {} ({}): {}", show_bytes(problem.storages[item.storage].bytes), node.name,
                     node.is_call() ? node.callee->target : "placeholder", why);
}

// The item to name for each storage with a saved item: one that must not be recomputed, or else the first.
std::vector<ItemIndex> holders(const RecomputeProblem& problem, const Choice& least) {
  std::vector<ItemIndex> holder(problem.storages.size(), kNoStorage), largest;
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (item.storage == kNoStorage || !least.kept[item.storage]) continue;
    ItemIndex& first = holder[item.storage];
    if (first == kNoStorage || (problem.items[first].never == Ban::None && item.never != Ban::None)) first = i;
  }
  for (StorageIndex s = 1; s < holder.size(); ++s) {
    if (holder[s] != kNoStorage) largest.push_back(holder[s]);
  }
  // Among equals, those that the user can change come first.
  const auto rank = [&](ItemIndex i) {
    const Item& item = problem.items[i];
    return std::pair(-problem.storages[item.storage].bytes, item.never == Ban::PrimalInput);
  };
  std::stable_sort(largest.begin(), largest.end(), [&](ItemIndex x, ItemIndex y) { return rank(x) < rank(y); });
  return largest;
}

}  // namespace

Failure unmet_limit(const Analysis& a, const RecomputeProblem& problem, std::int64_t limit_bytes, const LeastFound& least,
                    bool is_proven) {
  const std::vector<ItemIndex> largest = holders(problem, least.choice);
  const std::int64_t bytes = least.choice.bytes;
  const bool is_impossible = is_proven || limit_bytes < least.floor_bytes;
  const std::string_view known = least.floor_bytes == bytes ? "the least possible" : "the least found";
  std::string text = fmt::format(
      "{} {} bytes: {} is {} bytes ({}), in {} {}\n"
      "  the largest, with the reasons for saving them:",
      is_impossible ? "the forward cannot save as little as" : "found no decision that saves as little as", limit_bytes,
      known, bytes, show_bytes(bytes), largest.size(), largest.size() == 1 ? "storage" : "storages");
  for (std::size_t i = 0; i < std::min(largest.size(), kMaxNamed); ++i) text += describe(a, problem, largest[i]);
  return Failure(ExitStatus::NoPartition, std::move(text),
                 fmt::format("allow {} bytes, or 'least' for the lowest possible", bytes));
}

Failure is_impossible(const Analysis& a, const RecomputeProblem& problem) {
  for (const Item& item : problem.items) {
    if (!problem.is_stuck(item)) continue;
    const Node& node = a.node(item.node);
    return Failure(ExitStatus::NoPartition,
                   fmt::format("no partition: the backward needs '{}', which can neither be saved nor recomputed: {}",
                               node.name, phrase_for(item.never)),
                   fmt::format("check the recompute tag and the value of '{}'", node.name));
  }
  throw InternalError("no decision is possible, but no node prevents it");
}

}  // namespace fxcut
