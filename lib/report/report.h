// What was decided and why, as plain data. How it is shown is for report_json and report_table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cost/storage.h"
#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "graph/wide.h"
#include "policy/settings.h"
#include "solve/saved_values.h"

namespace fxcut {

// A reason: a word for programs, a sentence for people.
struct Why {
  std::string reason;
  std::string text;
  std::optional<Wide> cost;  // of saving the value, weighted bytes; where a cut weighed it
};

// A value that crosses from the forward to the backward.
struct SavedValue {
  std::string name;
  std::string op;                      // its operator's target, "placeholder" or "get_attr"
  std::string dtype;                   // empty where it is no tensor
  std::vector<Size> shape;
  std::int64_t size_bytes = 0;
  bool static_lifetime = false;        // a parameter or buffer: it lives anyway
  std::size_t forward_output = 0;      // position among the forward's outputs
  std::size_t backward_input = 0;      // position among the backward's placeholders
  std::string host_name;               // of the copy that crosses in its place; empty where it stays on its device
  Provenance provenance;
  Why why;
};

// A value that was marked for offloading, and stays where it is.
struct OffloadRefused {
  std::string name;
  Why why;
};

// A node that both graphs compute.
struct RecomputedValue {
  std::string name;
  std::string op;
  Wide flops = 0;
  std::int64_t size_bytes = 0;  // what saving it instead would take
  Provenance provenance;
  Why why;
};

// The state of a random number generator that the forward returns for the backward.
struct SavedState {
  std::string name;            // the forward's node
  std::string backward_name;   // the backward's placeholder
  std::int64_t size_bytes = 0;
  std::size_t forward_output = 0;
  std::size_t backward_input = 0;
};

struct Totals {
  std::int64_t saved_bytes = 0;             // of all saved tensors
  std::int64_t saved_bytes_static = 0;      // of those that are static lifetime inputs
  std::int64_t saved_bytes_not_static = 0;  // of the storages they keep alive, each once, but for static inputs'
  std::int64_t offloaded_bytes = 0;         // of saved tensors that go to the host
  std::size_t saved_values = 0;
  std::size_t offloaded_values = 0;
  std::size_t saved_opaques = 0;
  std::size_t saved_symbols = 0;
  std::size_t saved_random_states = 0;
  std::size_t recomputed_operators = 0;
  // At least 1 an operator. Counted by name, as PyTorch's figures are: where the forward wraps a random operator, an item
  // of the wrapper may bear the name of another node that the backward computes, and then that one counts as well.
  Wide recomputed_flops = 0;
  std::size_t forward_operators = 0;
  std::size_t backward_operators = 0;
  std::map<std::string, std::size_t> recomputed_by_operator;
};

struct Report {
  std::string graph;
  std::string producer;
  ReleaseChoice torch;
  Settings settings;
  Partitioner decided_by = Partitioner::MinCut;
  double memory_budget = 1;           // as resolved from settings and graph
  std::size_t num_forward_outputs = 0;
  Totals totals;
  std::vector<SavedValue> saved_values;
  std::vector<SavedValue> saved_opaques;
  std::vector<SavedValue> saved_symbols;
  std::vector<SavedState> saved_random_states;
  std::vector<RecomputedValue> recomputed_values;
  std::vector<OffloadRefused> offload_refusals;
  std::vector<SolvedCut> cuts;
};

// All of it, of a partition that is finished. `storages` are those of the graph as it was read.
Report make_report(const JointGraph& joint, const StorageBytes& storages, const Settings& settings,
                   const SavedValues& choice, const Crossing& crossing, const Finished& finished);

}  // namespace fxcut
