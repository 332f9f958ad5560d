// Groups of kernels with mixed reductions (mixed_reductions.h): which groups become one, which kernels join one, and which
// results its kernel writes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "inductor/fuse.h"
#include "inductor/fused_loops.h"
#include "inductor/fusion_groups.h"
#include "inductor/mixed_reductions.h"
#include "inductor/numbered_deps.h"

namespace fxcut {

// The kernels along the rows of a tensor, and those across them; the latter are empty unless reductions are mixed.
struct MixedSides {
  std::vector<KernelId> along, across;

  bool are_mixed() const { return !across.empty(); }
};

class MixedGroups {
 public:
  // All of them outlive it. `numbers`: by kernel, the operations before it.
  MixedGroups(const Kernels& program, const InductorRules& rules, const FusionGroups& groups, const FusedLoops& loops,
              const NumberedDeps& deps, const std::vector<std::int64_t>& numbers)
      : groups_(groups), loops_(loops), deps_(deps), numbers_(numbers), program_(program), rules_(rules),
        reductions_(program, rules) {}

  // Whether two groups that are not mixed become a mixed one (MixOrderReduction.can_fuse).
  std::optional<Mixture> mixture(GroupId first, GroupId second) const;

  // The sides of the fused group, if the two become a mixed group or the second joins a mixed one (FusedMixOrderReductions).
  MixedSides sides(GroupId first, GroupId second) const;

  // The results across the rows that the wrapper adds up: of `part` itself, or of the second of its two steps.
  std::vector<BufferId> added_up(KernelId part) const;

  // Completes the kernel of a mixed group; the workspace becomes a buffer of `program`.
  void add_workspace(const Group& group, FusedKernel& fused, Kernels& program) const;

 private:
  bool can_join(const std::vector<KernelId>& side, const std::vector<KernelId>& parts, const std::vector<KernelId>& others) const;
  bool can_follow(const std::vector<KernelId>& side, const std::vector<KernelId>& parts) const;

  const FusionGroups& groups_;
  const FusedLoops& loops_;
  const NumberedDeps& deps_;
  const std::vector<std::int64_t>& numbers_;
  const Kernels& program_;
  const InductorRules& rules_;
  const MixedReductions reductions_;
};

// How far two groups are apart in the order of the graph (Scheduler.are_long_distant_nodes).
std::int64_t distance_of(const Group& a, const Group& b, const std::vector<std::int64_t>& numbers);

inline constexpr std::int64_t kFar = 64;          // farther groups stay apart unless one reads the other's results
inline constexpr std::int64_t kMinSharedBytes = 10;  // config.score_fusion_memory_threshold, bytes

}  // namespace fxcut
