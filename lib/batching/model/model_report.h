// The graphs between one model's graph breaks, together: their saved values add up, because all forwards run before the first
// backward.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/int128.h"

namespace fxcut {

struct ModelGraph {
  std::string name;
  std::optional<std::int64_t> limit_bytes;  // its share of the budget, if one was split
  bool is_done = false;                     // false: it failed, and the rest is 0
  Int128 saved_bytes = 0;                   // activations held, as they cross
  Int128 recomputed_flops = 0;
  Int128 recomputed_picoseconds = 0, step_picoseconds = 0;  // as estimated, with what is recomputed
  Int128 peak_bytes = 0;                                    // of the graph alone
  Int128 idle_bytes = 0;                                    // the most that it has in memory while others run
};

struct ModelReport {
  std::vector<ModelGraph> graphs;           // in the order of the batch
  std::optional<std::int64_t> limit_bytes;  // of all together
  Int128 saved_bytes = 0;                   // of all
  Int128 recomputed_flops = 0;
  Int128 recomputed_picoseconds = 0, step_picoseconds = 0;  // as estimated, with what is recomputed
  // In any order of the graphs, the most memory in use at once, not counting parameters and other inputs: the peak of one graph
  // and what all others have in memory meanwhile, between their forward and their backward or after both.
  Int128 most_peak_bytes = 0;
};

// Adds up the lines of batch/item_result.h, from `file`. `shares`: by line, the graph's share of `limit_bytes`; empty without a
// budget. Throws Failure (BadInput) if one is not a result.
ModelReport add_up_model(const std::vector<std::string>& lines, const std::string& file,
                         const std::vector<std::optional<std::int64_t>>& shares,
                         std::optional<std::int64_t> limit_bytes);

// The text of model.json (schemas/model.schema.json); `version` is the program's.
std::string model_json(const ModelReport& report, std::string_view version);

// A human-readable table.
std::string model_table(const ModelReport& report);

}  // namespace fxcut
