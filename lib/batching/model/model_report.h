// The graphs of one model together, as its graph breaks made them: what they keep for their backwards adds up, since all
// forwards run before the first backward does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/wide.h"

namespace fxcut {

struct ModelGraph {
  std::string name;
  std::optional<std::int64_t> limit_bytes;  // its share of the budget, where one was split
  bool is_done = false;                     // else it failed, and the rest is 0
  Wide saved_bytes = 0;                     // beyond what lives anyway (saved_bytes_not_static)
  Wide recomputed_flops = 0;
  Wide peak_bytes = 0;                      // of the graph alone
};

struct ModelReport {
  std::vector<ModelGraph> graphs;           // in the order of the batch
  std::optional<std::int64_t> limit_bytes;  // of all together
  Wide saved_bytes = 0;                     // of all
  Wide recomputed_flops = 0;
  // Whatever the order in which the graphs run, no more is in use at once beyond parameters and other inputs: the peak of
  // one graph beside what all others keep.
  Wide most_peak_bytes = 0;
};

// Adds up the lines of batch/item_result.h, from `file`. `shares`: by line, the graph's share of `limit_bytes`; empty
// where there is no budget. Throws Failure (BadInput) where one is no result.
ModelReport add_up_model(const std::vector<std::string>& lines, const std::string& file,
                         const std::vector<std::optional<std::int64_t>>& shares,
                         std::optional<std::int64_t> limit_bytes);

// The text of model.json (schemas/model.schema.json); `version` is the program's.
std::string model_json(const ModelReport& report, std::string_view version);

// For people.
std::string model_table(const ModelReport& report);

}  // namespace fxcut
