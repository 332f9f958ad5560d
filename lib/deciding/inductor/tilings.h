// How Triton kernels without reductions tile their loops, which decides the kernels that they fuse with
// (torch/_inductor/codegen/simd.py, SIMDScheduling.candidate_tilings, get_tiling_and_scores and can_fuse).
//
// A kernel walks all its loops as one, in order, or in two dimensions: if a buffer has stride 1 in a loop that is not the last,
// the loops are cut after that one. Kernels that are tiled in two dimensions fuse only with those that are tiled alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inductor/fusion_groups.h"
#include "inductor/kernels.h"

namespace fxcut {

using Tiling = std::vector<std::int64_t>;  // elements of the outer and of the inner dimension, or of all as one

class Tilings {
 public:
  // The program outlives it. Without a GPU there are no candidates, since nothing asks for them.
  Tilings(const Kernels& program, bool on_gpu);

  // For one or more kernels fused into one, none of which reduces: the best candidate to which all their loops can be cut; one
  // dimension if there is none.
  Tiling of(const std::vector<KernelId>& kernels) const;

  // Whether the tilings of two groups of kernels that do not reduce let them fuse.
  bool agree(const std::vector<KernelId>& a, const std::vector<KernelId>& b) const;

  // Whether such kernels fuse with a reduction of these numbers of elements.
  bool suit(const std::vector<KernelId>& kernels, const ReducedElements& reduction) const;

  // Whether the loops of a kernel can be cut to the tiling.
  bool can_cut(KernelId kernel, const Tiling& tiling) const;

  // To call when the loops of a kernel have changed.
  void renew(KernelId kernel);

 private:
  struct Candidate {
    BufferId buffer = 0;  // whose strides suggest it
    std::int64_t score = 0;
    Tiling tiling;
  };

  std::vector<Candidate> candidates_of(const Kernel& kernel) const;
  bool has_candidates(const std::vector<KernelId>& kernels) const;

  const Kernels& program_;
  bool on_gpu_;
  std::vector<std::vector<Candidate>> candidates_;  // by kernel
};

}  // namespace fxcut
