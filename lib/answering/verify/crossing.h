// The values that the forward passes to the backward: the positions where they leave and enter.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "verify/mismatch.h"

namespace fxcut {

using ReportJson = nlohmann::json;

// The lists of a report's rows with values that cross, in the order in which the forward returns them.
inline constexpr const char* kSavedRows[] = {"saved_values", "saved_opaques", "saved_random_states", "saved_symbols"};

struct CrossingValue {
  std::size_t forward_output = 0;  // position among the forward's outputs
  std::size_t backward_input = 0;  // position among the backward's placeholders
  std::string row;                 // of the report, as "/saved_values/3", of a scale "/saved_values/3/compressed/scale"; or empty
};

// The names of the backward's inputs from the step's caller: the joint graph's tangents, then seeds, then states.
std::vector<std::string> caller_inputs_of_backward(const Graph& joint);

// Whether the placeholder of a side is a generator from its caller.
bool is_generator_input(const Node& placeholder);

// The rows of that list; empty if the report has no such list.
const ReportJson& rows_of(const ReportJson& report, const char* list);

// A member of a row or of other JSON, if it is a text.
std::string text_in(const ReportJson& json, const char* key, const std::string& fallback);

// Whether values cross in fewer bits by the report, if there is one.
bool has_forms(const ReportJson* report);

// The scale of the compressed form in a row of saved_values, or null.
const ReportJson* scale_of(const ReportJson& row);
inline constexpr std::string_view kScaleRow = "/compressed/scale";  // in the row

// Matches by names: a placeholder of the backward gets the additional output of the forward that has its name, or otherwise its
// target; placeholders of random states ("rng_state_output_0") get the remaining outputs in order. The target is the forward's
// name for a copy in host memory whose name was not free in the backward. Adds a mismatch for each value left.
std::vector<CrossingValue> cross_by_names(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                          std::vector<Mismatch>& mismatches);

// Matches by the rows of the report. Adds rows of another kind or with other nodes, and values without a row.
std::vector<CrossingValue> cross_by_report(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                           const ReportJson& report, std::vector<Mismatch>& mismatches);

// `crossings` are all outputs of the forward after its first `num_forward_outputs`; `is_symbol` is by output of the
// forward. Adds the first input of the backward that gets another output by position, and the number of further ones.
void check_positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
                     const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol,
                     std::vector<Mismatch>& mismatches);

}  // namespace fxcut
