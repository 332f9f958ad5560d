// The common decisions of a job's ranks, by set of graphs that are the same part of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/common_decision.h"

namespace fxcut {

// Groups the graphs that are the same part of the program on several ranks by their names, which are equal except for the rank.
//
// A name has its rank as "rank3", "rank_3" or "rank-3", as in TORCH_TRACE's logs
// (dedicated_log_torch_trace_rank_3_xxxxxxxx.log, whose random last part is ignored). The graphs in such a log have it twice,
// also in the record's name: .../joint_rank_3_0_0.

struct RankName {
  std::string set;         // the name with * for the rank
  std::uint64_t rank = 0;
};

// nullopt if the name has no rank, or one above 64 bits. If it has several, the first counts.
std::optional<RankName> parse_rank_name(std::string_view name);

struct RankSet {
  std::string name;
  std::vector<std::size_t> items;    // positions in the list of names, by rank
};

// The sets in the order of their first names. Throws Failure (Usage) naming the first name without a rank, or two names of the
// same set and rank.
std::vector<RankSet> rank_sets(const std::vector<std::string>& names);

struct RankRow {
  std::string name;                         // of the graph
  std::size_t structure = 0;                // the number of its structure in the set, from 0
  bool is_decided = false;                  // false: it failed, and the rest is empty
  std::string takes;                        // the graph whose decision it uses; may be its own name
  std::int64_t own_bytes = 0;               // saved by its own decision
  std::int64_t taken_bytes = 0;             // saved by the decision that it uses
  std::int64_t largest_bytes = 0;           // of its own decision on the rank where they are most
  std::vector<std::string> only_own;        // values that only its own decision saves
  std::vector<std::string> only_taken;      // values that only the other saves, by their names there
};

struct RankSetReport {
  std::string name;
  std::size_t structures = 0;
  std::vector<RankRow> ranks;
};

// `names`, `choices`: by item; a choice is missing if the graph failed. `adopted` (by item) becomes the position of the item
// whose decision it uses, if that is not its own.
RankSetReport agree_in_set(const RankSet& set, const std::vector<std::string>& names,
                           const std::vector<std::optional<RankChoice>>& choices,
                           std::vector<std::optional<std::size_t>>& adopted);

// The text of ranks.json (schemas/ranks.schema.json); `version` is the program's.
std::string ranks_json(const std::vector<RankSetReport>& sets, std::string_view version);

// Human-readable: the sets whose ranks decide differently or have graphs of different structure.
std::string ranks_text(const std::vector<RankSetReport>& sets);

}  // namespace fxcut
