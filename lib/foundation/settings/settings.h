// The settings of a run, under PyTorch's names (torch._functorch.config) and with its defaults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "release/release.h"
#include "settings/activation_quantization.h"
#include "settings/matmul_precision.h"
#include "settings/measured_errors.h"
#include "settings/memory_limit.h"

namespace fxcut {

// A row of a table with named rows, as the value of a setting: looked up once, and never compared as text.
template <typename Row>
struct RowOf {
  std::size_t index = 0;  // the first row is the default

  const Row& in(const std::vector<Row>& table) const { return table[index]; }
};

// The row of that name; none if the table does not have it.
template <typename Row>
std::optional<RowOf<Row>> find_row(const std::vector<Row>& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return RowOf<Row>{i};
  }
  return std::nullopt;
}

struct BudgetSolver;
struct DeviceProfile;
struct Estimator;

// The minimum cut used if several tie: the one nearest the backward (PyTorch's) or the one nearest the forward.
enum class CutSide { NearestBackward, NearestForward };

// PyTorch's min_cut_rematerialization_partition and default_partition, and its pass over whole steps.
enum class Partitioner { MinCut, Default, Tags };

// How values are copied to the host and back: with PyTorch's device_put, with its copies in parallel to the
// computation, or with the operators by which XLA places values.
enum class OffloadDialect { Aten, Ao, Xla };

// The saved values that are copied to the host: those that the graph or a policy marks, or also those that fxcut chooses.
enum class Offload { Marked, Auto };

// The saved values that may cross to the backward in fewer bits: none, those that lose nothing by it, or also rounded ones.
enum class Compress { None, Exact, Auto };

// The decisions that are repaired if they are not sound: those of fxcut's own solver, all, or none, which leaves PyTorch's
// unchanged.
enum class Soundness { Own, Always, Never };

// Whose memory is reported: of the operators, one call each, or also of the code that inductor would generate, predicted.
enum class MemoryOf {
  OfGraph,  // compiled if the graph's compiler is inductor (step/settings_for_step.h), else of operators that some compiler fuses
  Operators,  // that no compiler fuses
  Compiled,
};

struct Settings {
  std::string torch_version = std::string(kAsProducer);  // see release/release.h
  Partitioner partitioner = Partitioner::MinCut;
  bool chooses_partitioner = false;  // whether that is the user's choice and not the default
  double activation_memory_budget = 1.0;
  RowOf<BudgetSolver> activation_memory_budget_solver;  // of solve/budget_solvers.h
  // A row of cost/estimators.h. None: PyTorch's default for PyTorch's solvers, run time for the frontier solver.
  std::optional<RowOf<Estimator>> activation_memory_budget_runtime_estimator;
  std::optional<MemoryLimit> saved_bytes_limit;  // of the frontier solver; none: by the memory budget
  std::optional<MemoryLimit> peak_bytes_limit;   // of the memory in use at once
  bool recompute_again = false;  // more than once; unnamed, since reports list what is repeated
  Offload offload = Offload::Marked;
  Compress compress = Compress::None;
  std::string compress_dtype = "torch.float8_e4m3fn";  // to which values are rounded
  std::string compress_classes;           // of operators whose values may be rounded, comma-separated; empty: all
  std::optional<double> compress_error;   // the largest error of a value that may be rounded, as a share of its norm
  std::shared_ptr<const MeasuredErrors> compress_errors;  // which values have which error
  std::optional<MemoryLimit> host_bytes_limit;  // of values that fxcut chooses to copy to the host; none: no limit
  std::optional<double> budget_time_limit;  // seconds after which the frontier solver's search is cut short
  std::int64_t budget_search_steps = 0;     // of work (frontier/work_budget.h); 0: by the graph's size
  std::int64_t budget_search_parts = 0;  // the most parts to examine; 0 for any number
  double budget_gap = 0;                 // an answer this near to the bound, as a share of it, is good enough
  bool ban_recompute_products = false;
  bool activation_memory_budget_require_full_coverage = true;
  bool aggressive_recomputation = false;
  bool recompute_views = false;
  bool ban_recompute_used_far_apart = true;
  bool ban_recompute_long_fusible_chains = true;
  bool ban_recompute_materialized_backward = true;
  bool ban_recompute_not_in_allowlist = true;
  bool ban_recompute_reductions = true;
  std::int64_t max_dist_from_bw = 1000;
  bool treat_parameters_as_free_to_save = true;
  bool cse = true;
  bool is_non_builtin_to_include = false;
  bool unsafe_allow_optimization_of_collectives = false;
  bool unsafe_treat_script_objects_as_zero_size = false;
  bool graphsafe_rng_functionalization = true;
  bool enable_activation_offloading = false;
  bool activation_offload_separate_stream = false;
  bool activation_offload_sink_wait = false;
  bool activation_reload_prefetch = false;
  double activation_offload_cpu_gpu_bw = 50.0;  // GB (2^30 bytes) a second
  ActivationQuantization activation_quantization;
  std::optional<RowOf<DeviceProfile>> device_profile;  // of cost/device_profile.h; unset: by the graph's values
  std::shared_ptr<const DeviceProfile> own_device;  // described by the user, in its place
  std::string naming_operators = "xla.name_tensor.default,xla.offload_name.default";  // comma-separated
  bool ignore_tags = false;
  OffloadDialect offload_dialect = OffloadDialect::Aten;
  bool recompute_barrier = false;
  std::string recompute_barrier_operator = "xla.optimization_barrier.default";
  CutSide cut_side = CutSide::NearestBackward;
  Soundness sound = Soundness::Own;
  MemoryOf memory_of = MemoryOf::OfGraph;
  std::optional<MatmulPrecision> float32_matmul_precision;  // unset: the graph's (step/settings_for_step.h)
};

// The dialect in use: PyTorch's activation_offload_separate_stream has one of its own.
inline OffloadDialect dialect_of(const Settings& settings) {
  return settings.activation_offload_separate_stream ? OffloadDialect::Ao : settings.offload_dialect;
}

}  // namespace fxcut
