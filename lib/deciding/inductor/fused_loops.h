// Whether two groups of kernels can fuse by their loops: into the same loops, or nested in equal outer loops
// (torch/_inductor/codegen/cpp.py, CppScheduling; codegen/simd.py, SIMDScheduling.can_fuse).
#pragma once

#include <cstddef>
#include <vector>

#include "inductor/fusion_groups.h"
#include "inductor/kernels.h"
#include "inductor/tilings.h"

namespace fxcut {

class FusedLoops {
 public:
  FusedLoops(const Kernels& program, const InductorRules& rules);

  // Whether a part of the group reduces.
  bool reduces(const Group& group) const;

  // Whether both can be written as one loop.
  bool are_one(const Group& x, const Group& y) const;

  // The same for a producer that is not nested and does not reduce, and its reader, which is not nested.
  bool are_plainly_one(const Group& producer, const Group& reader) const;

  // How many outer loops both share, in which the reader is nested after the producer; 0: it cannot be
  // (_get_outer_loop_fusion_depth).
  std::size_t shared_depth(const Group& producer, const Group& reader) const;

  // Whether a part writes a row for its readers, in nested loops (codegen_outer_loop_node's local buffers).
  bool makes_row(const Group& group, KernelId part) const;

  // To call when the loops of a kernel on a GPU have changed.
  void renew(KernelId kernel) { tilings_.renew(kernel); }

  // Whether the loops of a kernel can be cut to those of a reduction.
  bool can_cut(KernelId kernel, const ReducedElements& reduction) const {
    return tilings_.can_cut(kernel, {reduction.outer, reduction.reduced});
  }

  // The elements of the group's first reduction, or of its first kernel.
  ReducedElements elements(const Group& group) const;

  // Updates the loops of `first` when `second` joins it, before the kernels are moved. `reads`: `second` reads a result of
  // `first`.
  void join(Group& first, const Group& second, bool reads);

 private:
  enum class Cpp { Different, Same, SameAfterMerging };

  std::vector<std::size_t> nested_loops(const Group& group) const;
  Cpp cpp_loop(const Group& x, const Group& y) const;
  bool are_tiled_alike(const Group& x, const Group& y) const;
  const Loops& loops(const Group& group) const;  // of the first reduction, if there is one

  const InductorRules& rules_;
  std::vector<Loops> loops_;  // by kernel
  Tilings tilings_;           // on a GPU
};

}  // namespace fxcut
