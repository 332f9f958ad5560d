// What the ranks of a job agreed on, set by set of graphs that are the same part of the program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/common_decision.h"
#include "ranks/rank_sets.h"

namespace fxcut {

struct RankRow {
  std::string name;                         // of the graph
  std::size_t structure = 0;                // its structure, among those of the set; from 0
  bool is_decided = false;                  // else it failed, and the rest is empty
  std::string takes;                        // the graph whose decision it takes; its own name where that is its own
  std::int64_t own_bytes = 0;               // what its own decision saves on it
  std::int64_t taken_bytes = 0;             // what the one that it takes saves on it
  std::int64_t largest_bytes = 0;           // what its own decision takes on the rank where it takes most
  std::vector<std::string> only_own;        // values that its own decision saves and the one that it takes does not
  std::vector<std::string> only_taken;      // and those that only the other saves, by their names there
};

struct RankSetReport {
  std::string name;
  std::size_t structures = 0;
  std::vector<RankRow> ranks;
};

// `names`, `choices`: by item; a choice is missing where the graph failed. `adopted` (by item) becomes the position of the item
// whose decision it is to take, where that is not its own.
RankSetReport agree_in_set(const RankSet& set, const std::vector<std::string>& names,
                           const std::vector<std::optional<RankChoice>>& choices,
                           std::vector<std::optional<std::size_t>>& adopted);

// The text of ranks.json (schemas/ranks.schema.json); `version` is the program's.
std::string ranks_json(const std::vector<RankSetReport>& sets, std::string_view version);

// For people: the sets whose ranks would decide differently or have graphs of different structure.
std::string ranks_text(const std::vector<RankSetReport>& sets);

}  // namespace fxcut
