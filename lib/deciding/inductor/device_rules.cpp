#include "inductor/kernels.h"

namespace fxcut {

InductorRules rules_for_cpu(Release release, bool single_threaded) {
  return {.gradients_decide_layout = release.has(Change::GradientsDecideLayout), .sums_by_library = !single_threaded};
}

// realize_opcount_threshold and realize_acc_reads_threshold by default; Triton's kernels.
InductorRules rules_for_gpu(Release release) {
  return {.max_operators = 30, .max_reads = 8, .max_two_step_elements = 8, .unrolls_to_one = true, .stores_heavy = false,
          .nests_loops = false, .reorders_loops = true, .joins_calls = false, .channels_last = false,
          .gradients_decide_layout = release.has(Change::GradientsDecideLayout),
          .orders_gradients = release.has(Change::GradientsOrderInputs), .aligned_inputs = true,
          .inlines_concatenations = true,
          .spares_shared_terms = release.has(Change::PaddingsAreConcatenations),
          .concatenates_paddings = release.has(Change::PaddingsAreConcatenations),
          .sums_by_library = false, .keeps_between_loops = true,
          .fuses_two_ways = release.has(Change::ReadsInTwoWaysFuse), .mixes_reductions = true,
          .adds_whole_matrices = release.has(Change::WholeMatricesAreAdded),
          .mixes_flat_reductions = release.has(Change::FlatReductionsMix), .splits_reductions = true};
}

}  // namespace fxcut
