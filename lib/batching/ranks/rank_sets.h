// The graphs that are the same part of the program on several ranks: by their names, which are equal except for the rank.
//
// A name has its rank as "rank3", "rank_3" or "rank-3", as in TORCH_TRACE's logs
// (dedicated_log_torch_trace_rank_3_xxxxxxxx.log, whose random last part is ignored). The graphs in such a log have it twice, by
// the log's records: .../joint_rank_3_0_0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

struct RankName {
  std::string set;         // the name with * for the rank
  std::uint64_t rank = 0;
};

// Nothing if the name has no rank, or one above 64 bits. Of several, the first counts.
std::optional<RankName> parse_rank_name(std::string_view name);

struct RankSet {
  std::string name;
  std::vector<std::size_t> items;    // positions in the list of names, by rank
};

// The sets in the order of their first names. Throws Failure (Usage) naming the first name without a rank, or two names of the
// same set and rank.
std::vector<RankSet> rank_sets(const std::vector<std::string>& names);

}  // namespace fxcut
