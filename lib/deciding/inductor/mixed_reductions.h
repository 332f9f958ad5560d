// Reductions of the rows and of the columns of one tensor, which inductor fuses for Triton although their loops differ
// (torch/_inductor/scheduler.py, MixOrderReduction and FusedMixOrderReductions; codegen/simd.py, _codegen_mix_order_reduction).
//
// The kernel walks along the rows and reduces each at once. It reduces the columns over some rows at a time, into a workspace;
// the wrapper adds these parts up. The result of a first step over the columns (split_reductions.h) then has no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inductor/fusion_groups.h"
#include "inductor/kernels.h"

namespace fxcut {

// Two groups that can be mixed: whether the first one walks along the rows, and how many elements the tensor has.
struct Mixture {
  bool first_is_along = true;
  std::int64_t elements = 0;
};

class MixedReductions {
 public:
  MixedReductions(const Kernels& program, const InductorRules& rules) : program_(program), rules_(rules) {}

  // For the kernels of two groups that do not depend on each other.
  std::optional<Mixture> mixture(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const;

  // Whether all reads of the kernels are contiguous along their innermost loops (is_contiguous_node).
  bool are_along(const std::vector<KernelId>& parts) const;

  // Whether they read no more buffers than one kernel may (mix_order_reduction_max_reads).
  bool read_few(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const;

  // The elements of the first reduction among the kernels, across both steps if it has two; nullopt if none reduces.
  std::optional<ReducedElements> elements_of(const std::vector<KernelId>& parts) const;

  // How many elements the tensor has.
  std::int64_t elements(const std::vector<KernelId>& parts) const;

 private:
  bool reduces(KernelId part) const;
  bool is_split(const std::vector<KernelId>& parts) const;
  bool share_whole_read(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const;
  std::vector<BufferId> whole_reads(const std::vector<KernelId>& parts) const;
  bool can_run_along(const std::vector<KernelId>& along, const std::vector<KernelId>& across) const;

  const Kernels& program_;
  const InductorRules& rules_;
};

// The workspace of such a kernel, in elements, if its columns are reduced `results` times.
std::int64_t workspace_elements(const ReducedElements& rows, std::size_t results);

}  // namespace fxcut
