// Loops that inductor reorders on a GPU so that two kernels that share memory walk it alike
// (torch/_inductor/scheduler.py, shared_data_after_reordering_loop): when nothing else fuses, and once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "inductor/fused_loops.h"
#include "inductor/fusion_groups.h"
#include "inductor/kernels.h"
#include "inductor/numbered_deps.h"

namespace fxcut {

class ReorderedLoops {
 public:
  // All of them outlive it.
  ReorderedLoops(Kernels& program, NumberedDeps& deps, FusedLoops& loops)
      : program_(program), deps_(deps), loops_(loops) {}

  // The bytes that two groups share once the loops of one are reordered or merged; nullopt if neither is possible.
  std::optional<std::int64_t> shared_after(const Group& a, const Group& b);

  // Gives the group that does not reduce the loops of the other one's reduction, one over kept and one over reduced elements, so
  // that both walk shared memory alike; returns whether it could (_try_reindex_pointwise_for_reduction).
  bool reindex(const Group& a, const Group& b);

  // Reverts what was reordered since the last call of keep() or undo().
  void undo();
  void keep() { before_.clear(); }
  bool has_changed() const { return !before_.empty(); }

 private:
  // For a buffer that both use: the access of each.
  struct Candidate {
    bool is_made = false;  // one group makes it for the other
    std::int64_t elements = 0;
    DepNumber a = 0, b = 0;
  };

  std::optional<Candidate> best_candidate(const Group& a, const Group& b) const;
  bool reorder(const Group& group, const MemoryDep& from, const MemoryDep& to);
  bool share_walks(const Group& a, const Group& b) const;
  void reindex(KernelId part, const ReducedElements& reduction);
  void renew(KernelId kernel);
  void undo_from(std::size_t first);

  Kernels& program_;
  NumberedDeps& deps_;
  FusedLoops& loops_;
  std::vector<std::pair<KernelId, Kernel>> before_;  // changed kernels, as they were
};

}  // namespace fxcut
