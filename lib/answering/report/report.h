// The decision and its reasons, as plain data. report_json and report_table print it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cost/device_profile.h"
#include "cost/size.h"
#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/fingerprint.h"
#include "graph/graph.h"
#include "graph/int128.h"
#include "memory/lifetimes.h"
#include "policy/policy_stack.h"
#include "policy/resolve_policies.h"
#include "report/memory_kinds.h"
#include "report/optimizer_states.h"
#include "report/varying_sizes.h"
#include "settings/settings.h"
#include "solve/saved_values.h"
#include "soundness/unsound.h"

namespace fxcut {

// As in schemas/report.schema.json.
inline constexpr std::string_view kReportFormat = "fxcut-report";
inline constexpr std::int64_t kReportVersion = 1;

// A reason: a name for programs, a sentence for readers.
struct Why {
  std::string reason;
  std::string text;
  std::optional<Int128> cost = {};          // of saving the value, weighted bytes; if a cut weighed it
  std::optional<PolicyReason> policy = {};  // if a policy decided
};

// One occurrence of a checkpoint name, and the decision on its value.
struct NameUse {
  enum class Decision { Saved, Recomputed, Offloaded, NotNeeded };

  std::string name;
  std::string node;                          // with the name
  Decision decision = Decision::NotNeeded;
  std::string saved_as;                      // the value that crosses in its place
  std::string backward_placeholder;          // its name in the backward
  std::optional<std::size_t> forward_output; // position among the forward's outputs
  std::optional<std::size_t> backward_input; // position among the backward's placeholders
  std::int64_t size_bytes = 0;               // of the named value
};

// The target of the node's operator, or its kind: "placeholder", "get_attr", "output".
std::string operator_of(const Node& node);

// A node of the joint graph, and its value.
struct DescribedNode {
  std::string name;
  std::string op;                // operator_of()
  std::string dtype;             // empty if it is not a tensor
  Sizes shape;
  std::int64_t size_bytes = 0;
  bool static_lifetime = false;  // a parameter or buffer: always resident
  Provenance provenance;
};

DescribedNode describe_node(const Node& node, const Settings& settings);

// The form in fewer bits in which a value crosses.
struct CompressedForm {
  std::string name = {};   // of the forward's node, and the target of the backward's placeholder
  Compression how = Compression::Scaled;
  std::string dtype = {};
  std::int64_t size_bytes = 0;
  std::string by = {};     // the rule that asks for it: "policy 'base', rule 2: op aten.mm.*"; empty: none does
  // The scales of its rows; an empty name: it has none.
  std::string scale = {};
  std::int64_t scale_bytes = 0;
  std::size_t scale_forward_output = 0, scale_backward_input = 0;  // positions as those of the value

  std::int64_t crossing_bytes() const { return size_bytes + scale_bytes; }
};

// The form for readers: "float8_e4m3fn with scales", "uint8", "bits".
std::string show_form(const CompressedForm& form);

// A value that the forward returns for the backward.
struct SavedValue : DescribedNode {
  // The bytes of its storage, if it is the first saved value in it (kept_bytes()); values that cross as they are come first.
  std::int64_t kept_bytes = 0;
  std::size_t forward_output = 0;  // position among the forward's outputs
  std::size_t backward_input = 0;  // position among the backward's placeholders
  std::string host_name;           // of the copy that crosses in its place; empty if it stays on its device
  std::optional<CompressedForm> compressed = {};
  Why why;

  // The memory between forward and backward, as the value crosses. All saved values add up to Totals::held_bytes().
  std::int64_t held_bytes() const { return compressed ? compressed->crossing_bytes() : kept_bytes; }
};

// The module, otherwise "FILE:LINE", otherwise empty.
std::string show_place(const Provenance& provenance);

// "forward" or "backward".
std::string_view name_of(Side side);

// "min_cut" or "default".
constexpr std::string_view name_of(Partitioner one) { return one == Partitioner::Default ? "default" : "min_cut"; }

// Its name in JSON: "saved", "recomputed", "offloaded", "not_needed".
std::string_view name_of(NameUse::Decision decision);

// A value that was marked for offloading, but is not offloaded.
struct OffloadRefused {
  std::string name;
  Why why;
};

// A node that both graphs compute.
struct RecomputedValue {
  std::string name;
  std::string op;
  Int128 flops = 0;
  std::int64_t size_bytes = 0;  // of its value
  Provenance provenance;
  Why why;
};

// A call that only the backward has: a further copy of a call that it recomputes.
struct RecomputedAgainValue {
  std::string name;
  std::string of;      // the call of the joint graph that it repeats
  std::string before;  // the node before which it runs
  Int128 flops = 0;
  std::int64_t size_bytes = 0;
};

// The state of a random number generator that the forward returns for the backward.
struct SavedState {
  std::string name;            // the forward's node
  std::string backward_name;   // the backward's placeholder
  std::int64_t size_bytes = 0;
  std::size_t forward_output = 0;
  std::size_t backward_input = 0;
};

// A node of one of the two graphs, or of a whole step.
struct GraphPlace {
  std::string_view graph;  // "forward" or "backward"; of a whole step the phase, which may be "optimizer"
  std::string node;
  std::string op;          // its operator's target, or its kind
  Provenance provenance;
};

// A buffer in use at the peak.
struct MemoryHeld {
  GraphPlace made_at;                      // or the placeholder that it belongs to
  std::int64_t size_bytes = 0;
  std::optional<GraphPlace> last_used_at;  // empty if the caller keeps it
  MemoryKind kind = MemoryKind::Temporary;
};

// A value that would differ from the joint graph's.
struct UnsoundValue {
  std::string name;
  Fault fault;
  std::string operand, write;  // names, as in Unsound; may be empty
  std::string text;
};

// The effect of a repair: the value is saved in addition, or the state of its generator; its copy on the host is made after the
// last write to its memory, or it stays on its device; or a call with an effect stays in the backward.
enum class RepairKind : std::uint8_t { Value, RandomState, LateCopy, OnDevice, Effect };

// Its name in JSON ("random_state").
std::string_view name_of(RepairKind kind);

// A repair, so that the partition computes the same values as the joint graph.
struct RepairedValue {
  std::string name;
  RepairKind kind = RepairKind::Value;
  std::int64_t size_bytes = 0;  // of the value
};

// The peak with the memory that a library takes within its call (inductor/workspaces.h).
struct WorkspaceReport {
  Int128 peak_bytes = 0;
  GraphPlace peak_at;        // the call
  Int128 workspace_bytes = 0;  // its workspace, part of the peak
};

// The same for the code that inductor would generate (inductor/predict_memory.h).
struct PredictedMemoryReport {
  Int128 peak_bytes = 0;
  GraphPlace peak_at;  // the last node of the kernel at the peak
  Int128 forward_peak_bytes = 0;
  Int128 between_bytes = 0;
  Int128 backward_peak_bytes = 0;
  std::optional<WorkspaceReport> with_workspaces = {};  // if they raise the peak
  std::vector<MemoryHeld> at_peak = {};  // largest first; their bytes add up to peak_bytes; may be empty
};

// The memory of the step while it runs (memory/lifetimes.h has the rules), parameters and other inputs counted separately.
struct MemoryReport {
  Int128 peak_bytes = 0;
  GraphPlace peak_at;               // the node that runs at the peak
  Int128 forward_peak_bytes = 0;
  Int128 between_bytes = 0;  // between forward and backward
  Int128 backward_peak_bytes = 0;
  std::int64_t static_bytes = 0;    // of parameters, buffers and constants
  std::int64_t input_bytes = 0;     // of the other inputs
  std::vector<MemoryHeld> at_peak;  // largest first; their bytes add up to peak_bytes
  std::optional<PredictedMemoryReport> compiled;  // if the setting memory_of asks for it
  std::optional<OptimizerStates> optimizer;  // if one is chosen

  // The peak that limits apply to: of the compiled code if that is predicted, of the operators otherwise.
  Int128 counted_peak_bytes() const { return compiled ? compiled->peak_bytes : peak_bytes; }
  Int128 counted_between_bytes() const { return compiled ? compiled->between_bytes : between_bytes; }
  const std::vector<MemoryHeld>& counted_at_peak() const { return compiled ? compiled->at_peak : at_peak; }
  // The most that has to fit on the device at once: the peak, parameters, other inputs and the optimizer's states.
  Int128 resident_bytes() const {
    return counted_peak_bytes() + static_bytes + input_bytes + (optimizer ? optimizer->size_bytes : 0);
  }
};

// The kinds of remarks (report/remarks.h).
enum class RemarkKind : std::uint8_t { Copies, Largest, LargestOfLoss };

// Its name in JSON: "copies".
std::string_view name_of(RemarkKind kind);

struct Remark {
  RemarkKind kind = RemarkKind::Copies;
  std::int64_t bytes = 0;
  std::vector<std::string> values;  // names in the joint graph
  std::string text;                 // what follows the bytes
};

// The optimizer of a whole step: what runs after the backward on its gradients.
struct StepOptimizer {
  std::size_t operators = 0;
  std::int64_t state_bytes = 0;  // of inputs that only it uses, always resident; part of memory.static_bytes
  Int128 peak_bytes = 0;         // while it runs

  bool operator==(const StepOptimizer&) const = default;
};

// The facts that only a whole step has.
struct StepReport {
  std::size_t backward_regions = 0;   // without forward between their nodes
  std::size_t backward_operators = 0; // including recomputed ones
  std::size_t recomputed_again = 0;   // operators that a later region recomputes once more
  std::optional<StepOptimizer> optimizer;
};

// The saved values that cross in fewer bits.
struct CompressedTotals {
  std::size_t values = 0;
  std::int64_t bytes_before = 0;  // in their own dtypes
  std::int64_t bytes = 0;         // as they cross, with their scales
  std::int64_t held_bytes = 0;    // of activations by all saved values, these as they cross

  bool operator==(const CompressedTotals&) const = default;
};

struct Totals {
  std::int64_t saved_bytes = 0;             // of all saved tensors
  std::int64_t saved_bytes_static = 0;      // of those that are static lifetime inputs
  std::int64_t saved_bytes_not_static = 0;  // activations held: of their storages, each once, without static inputs'
  std::int64_t offloaded_bytes = 0;         // of saved tensors in host memory
  std::size_t saved_values = 0;
  std::size_t offloaded_values = 0;
  std::size_t saved_opaques = 0;
  std::size_t saved_symbols = 0;
  std::size_t saved_random_states = 0;
  std::size_t recomputed_operators = 0;
  // At least 1 for each operator. Counted by name, as PyTorch does: if the forward wraps a random operator, an item of the
  // wrapper may have the name of another node that the backward computes, and then that one counts as well.
  Int128 recomputed_flops = 0;
  std::size_t forward_operators = 0;
  std::size_t backward_operators = 0;
  std::map<std::string, std::size_t> recomputed_by_operator;
  std::optional<CompressedTotals> compressed = {};

  bool operator==(const Totals&) const = default;

  // The bytes of activations between forward and backward, as they cross.
  std::int64_t held_bytes() const { return compressed ? compressed->held_bytes : saved_bytes_not_static; }
};

// "scaled", "cast", "bits".
std::string_view name_of(Compression how);

// The estimated time of the step (inductor/kernel_times.h).
struct RunTimeReport {
  std::string device;      // a known one's name, or the user's own
  DeviceFrom device_from = DeviceFrom::Graph;
  double recomputed_ms = 0;  // of what recomputed_flops counts, random calls under a saved state, and recomputed_again
  double step_ms = 0;        // of the two graphs, including recomputation
  std::optional<double> launch_ms = std::nullopt;  // CPU time to launch the step's kernels
};

// The candidates of a memory budget's knapsack.
struct SolvedKnapsack {
  std::size_t candidates = 0;  // costly values that could be recomputed
  std::size_t saved = 0;       // candidates that it saves
};

struct Report {
  std::string graph;
  std::string producer;
  std::string compiler;  // of the graph; empty if it has none
  std::optional<GraphFingerprint> fingerprint;  // of the graph as it was read; empty in reports without one
  ReleaseChoice torch;
  Settings settings;
  PolicyStack policies;
  Partitioner decided_by = Partitioner::MinCut;
  double memory_budget = 1;           // as resolved from settings and graph
  std::size_t num_forward_outputs = 0;
  Totals totals;
  std::optional<RunTimeReport> run_time;  // none in reports of earlier releases
  MemoryReport memory;                // for a whole step, of its one graph
  std::optional<StepReport> step;     // of a whole step
  std::vector<SavedValue> saved_values;
  std::vector<SavedValue> saved_opaques;
  std::vector<SavedValue> saved_symbols;
  std::vector<SavedState> saved_random_states;
  std::vector<RecomputedValue> recomputed_values;
  std::vector<RecomputedAgainValue> recomputed_again;  // in execution order
  std::vector<OffloadRefused> offload_refusals;
  std::vector<NameUse> names;
  std::vector<std::string> warnings;
  std::vector<UnsoundValue> unsound;
  std::vector<RepairedValue> repairs;
  std::vector<Remark> remarks;
  std::vector<SolvedCut> cuts;
  std::optional<SolvedKnapsack> knapsack;  // if the memory budget needed one
  std::optional<FrontierFacts> frontier;  // if the frontier solver decided
  std::optional<PeakLimitFacts> peak_limit;  // if the peak is limited
  SymbolHints hints;                      // in place of the file's, if any were given
  std::optional<VaryingSizes> varying_sizes;  // if it was decided for several
};

// A graph and the decision on it.
struct Decided {
  const JointGraph& joint;       // normalised, its tags resolved
  const StorageBytes& storages;  // of the graph as it was read
  const Settings& settings;
  const SavedValues& choice;
  const PolicyOutcome& tagged;   // by policies
  const MatchedPolicies& matched;
};

// The report of a finished partition, without its memory. `unsound` is find_unsound()'s, `carried` is carried_values()'s.
Report make_report(const Decided& decided, const Crossing& crossing, const std::vector<CarriedValue>& carried,
                   const Finished& finished, const std::vector<Unsound>& unsound);

}  // namespace fxcut
