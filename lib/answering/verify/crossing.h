// What crosses from the forward to the backward, and where it enters.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "verify/mismatch.h"

namespace fxcut {

using ReportJson = nlohmann::json;

// The lists of a report's rows, each about a value that crosses, in the order in which the forward returns them.
inline constexpr const char* kSavedRows[] = {"saved_values", "saved_opaques", "saved_random_states", "saved_symbols"};

struct CrossingValue {
  std::size_t forward_output = 0;  // position among the forward's outputs
  std::size_t backward_input = 0;  // position among the backward's placeholders
  std::string row;                 // of the report, as "/saved_values/3"; empty without one
};

// The names of what the step's caller hands the backward: the joint graph's tangents, then seeds, then states.
std::vector<std::string> given_to_backward(const Graph& joint);

// Whether the placeholder of a side takes a generator that its caller hands in.
bool takes_generator(const Node& placeholder);

// The rows of that list; none where the report has no such list.
const ReportJson& rows_of(const ReportJson& report, const char* list);

// By names: a placeholder of the backward takes the output that the node of its name, or else of its target, returns
// behind the forward's own outputs; those of random states ("rng_state_output_0") take what is left, in order. The
// target is what the forward calls a copy on the host whose name was not free in the backward. Adds what is not met.
std::vector<CrossingValue> cross_by_names(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                          std::vector<Mismatch>& mismatches);

// As the rows of the report say. Adds rows that are of another kind or name other nodes, and what has no row.
std::vector<CrossingValue> cross_by_report(const JointGraph& joint, const Graph& forward, const Graph& backward,
                                           const ReportJson& report, std::vector<Mismatch>& mismatches);

}  // namespace fxcut
