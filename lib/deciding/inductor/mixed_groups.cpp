#include "inductor/mixed_groups.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace fxcut {
namespace {

std::vector<KernelId> both(std::vector<KernelId> first, const std::vector<KernelId>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

MixedSides sides_of(const Group& group) {
  return {{group.parts.begin(), group.parts.end() - static_cast<std::ptrdiff_t>(group.across.size())}, group.across};
}

Group as_group(const std::vector<KernelId>& parts) { return {parts, std::ranges::min(parts), std::ranges::max(parts)}; }

bool has(const std::vector<KernelId>& parts, KernelId kernel) { return std::ranges::find(parts, kernel) != parts.end(); }

}  // namespace

std::int64_t distance_of(const Group& a, const Group& b, const std::vector<std::int64_t>& numbers) {
  return std::max(std::abs(numbers[a.first] - numbers[b.last]), std::abs(numbers[b.first] - numbers[a.last]));
}

std::optional<Mixture> MixedGroups::mixture(GroupId first, GroupId second) const {
  const Group &a = groups_[first], &b = groups_[second];
  if (!rules_.mixes_reductions || !a.across.empty() || !b.across.empty() || !loops_.reduces(a) || !loops_.reduces(b)) return {};
  const std::optional<Mixture> mixture = reductions_.mixture(a.parts, b.parts);
  if (!mixture || groups_.is_before(first, second) || groups_.is_before(second, first)) return {};
  return mixture;
}

MixedSides MixedGroups::sides(GroupId first, GroupId second) const {
  const Group &a = groups_[first], &b = groups_[second];
  if (a.across.empty()) {
    const std::optional<Mixture> mixture = this->mixture(first, second);
    if (!mixture) return {};
    return mixture->first_is_along ? MixedSides{a.parts, b.parts} : MixedSides{b.parts, a.parts};
  }
  if (!reductions_.read_few(a.parts, b.parts)) return {};
  const MixedSides mine = sides_of(a), others = sides_of(b);
  if (others.are_mixed()) {
    const bool can = can_join(mine.along, others.along, both(mine.across, others.across)) &&
                     can_join(mine.across, others.across, {});
    return can ? MixedSides{both(mine.along, others.along), both(mine.across, others.across)} : MixedSides{};
  }
  if (can_join(mine.along, b.parts, mine.across)) return {both(mine.along, b.parts), mine.across};
  if (can_join(mine.across, b.parts, mine.along)) return {mine.along, both(mine.across, b.parts)};
  return {};
}

// sub_node_can_fuse: whether `parts` can be fused with one side of mixed reductions, of which `others` are the other side.
bool MixedGroups::can_join(const std::vector<KernelId>& side, const std::vector<KernelId>& parts,
                           const std::vector<KernelId>& others) const {
  const Group a = as_group(side), b = as_group(parts);
  if (!loops_.are_one(a, b) || groups_.lead_to(side, parts)) return false;
  if (reductions_.are_along(side) && !reductions_.are_along(parts)) return false;
  const SharedDeps shared = deps_.shared(deps_.of(side), deps_.of(parts));
  if (shared.bytes == 0 || (loops_.reduces(b) && shared.elements < reductions_.elements(side))) return false;
  if (groups_.lead_to(parts, side)) {
    if (!can_follow(side, parts)) return false;
  } else if (shared.bytes < kMinSharedBytes || distance_of(a, b, numbers_) > kFar) {
    return false;
  }
  const std::vector<KernelId> joined = both(side, parts);
  return others.empty() || (!groups_.lead_to(joined, others) && !groups_.lead_to(others, joined));
}

// Scheduler.can_fuse_vertical.
bool MixedGroups::can_follow(const std::vector<KernelId>& side, const std::vector<KernelId>& parts) const {
  for (const KernelId part : parts) {
    for (const DepNumber read : deps_.reads(part)) {
      const BufferId buffer = deps_.buffer(read);
      if (!groups_.is_made(buffer)) continue;
      const KernelId maker = groups_.maker(buffer);
      if (has(side, maker)) {
        if (!deps_.is_as_written(read)) return false;
      } else if (!has(parts, maker) && groups_.lead_to({maker}, side)) {
        return false;
      }
    }
  }
  return true;
}

std::vector<BufferId> MixedGroups::added_up(KernelId part) const {
  const Kernel& kernel = program_.kernels[part];
  if (kernel.loops->reduced.empty()) return {};
  if (!kernel.loops->whole) return kernel.writes;
  std::vector<BufferId> results;
  for (const KernelId reader : groups_.readers(kernel.writes.front())) results.push_back(program_.kernels[reader].writes.front());
  return results;
}

void MixedGroups::add_workspace(const Group& group, FusedKernel& fused, Kernels& program) const {
  const MixedSides sides = sides_of(group);
  for (const KernelId part : group.across) {
    if (program_.kernels[part].loops->reduced.empty()) fused.later.push_back(part);
    for (const BufferId result : added_up(part)) fused.added_up.push_back(result);
  }
  Buffer workspace{.node = program_.kernels[group.parts.front()].node, .dtype = find_dtype("float32")};
  workspace.elements = workspace_elements(*reductions_.elements_of(sides.along), fused.added_up.size());
  workspace.bytes = workspace.elements * workspace.dtype->size_bytes;
  fused.workspace = static_cast<BufferId>(program.buffers.size());
  program.buffers.push_back(workspace);
}

}  // namespace fxcut
