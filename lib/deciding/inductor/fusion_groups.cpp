#include "inductor/fusion_groups.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace fxcut {
namespace {

constexpr std::size_t kMaxVisited = 10'000;  // our own: a longer search for a cycle is taken to have found one

// By buffer, whether a kernel overwrites it or a slice of it.
std::vector<bool> overwritten_wholes(const Kernels& program) {
  std::vector<bool> overwritten(program.buffers.size(), false);
  for (const Kernel& kernel : program.kernels) {
    for (const BufferId changed : kernel.changes) overwritten[whole_of(program.buffers, changed)] = true;
  }
  return overwritten;
}

}  // namespace

FusionGroups::FusionGroups(const Kernels& program)
    : program_(program), group_of_(program.kernels.size()), makers_(program.buffers.size(), kNone),
      position_(program.kernels.size()), at_(program.kernels.size()), seen_(program.kernels.size()),
      targets_(program.kernels.size()) {
  std::iota(group_of_.begin(), group_of_.end(), 0);
  std::iota(position_.begin(), position_.end(), 0);
  std::iota(at_.begin(), at_.end(), 0);
  groups_.reserve(program.kernels.size());
  for (KernelId k = 0; k < program.kernels.size(); ++k) groups_.push_back({{k}, k, k});
  find_dependencies();
}

void FusionGroups::find_dependencies() {
  const std::vector<bool> is_overwritten = overwritten_wholes(program_);
  std::unordered_map<BufferId, std::vector<KernelId>> users;  // of these: whatever overwrites a slice of one waits
  std::vector<NumberLists::Entry> readers, depends;
  std::vector<KernelId> last_reader(program_.buffers.size(), kNone), before;
  for (KernelId k = 0; k < program_.kernels.size(); ++k) {
    const Kernel& kernel = program_.kernels[k];
    before.clear();
    for (const Access& read : kernel.reads) {
      if (std::exchange(last_reader[read.buffer], k) != k) readers.emplace_back(read.buffer, k);
      if (makers_[read.buffer] != kNone) before.push_back(makers_[read.buffer]);
      const BufferId whole = whole_of(program_.buffers, read.buffer);
      if (is_overwritten[whole]) users[whole].push_back(k);
    }
    for (const BufferId changed : kernel.changes) {
      if (makers_[changed] != kNone) before.push_back(makers_[changed]);
      std::vector<KernelId>& earlier = users[whole_of(program_.buffers, changed)];
      before.insert(before.end(), earlier.begin(), earlier.end());
      earlier.push_back(k);
      readers.emplace_back(changed, k);
      last_reader[changed] = k;
    }
    std::ranges::sort(before);
    const auto end = std::unique(before.begin(), before.end());
    for (auto each = before.begin(); each != end; ++each) {
      if (*each != k) depends.emplace_back(k, *each);
    }
    for (const BufferId written : kernel.writes) makers_[written] = k;
  }
  readers_ = NumberLists(program_.buffers.size(), readers);
  depends_ = NumberLists(program_.kernels.size(), depends);
}

bool FusionGroups::depends(GroupId on_other, GroupId other) const {
  return std::ranges::any_of(groups_[on_other].parts, [&](KernelId part) {
    return std::ranges::any_of(depends_[part], [&](KernelId before) { return group_of_[before] == other; });
  });
}

bool FusionGroups::is_before(GroupId to, GroupId from) const { return reach(groups_[from].parts, to); }

// name_to_fused_node[...].ancestors: those of all parts of a group that is read.
bool FusionGroups::reads_after(GroupId from, GroupId to) const {
  std::vector<GroupId> read;
  append_groups_before(from, read);
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  std::vector<KernelId> parts;
  for (const GroupId group : read) {
    if (group != to) parts.insert(parts.end(), groups_[group].parts.begin(), groups_[group].parts.end());
  }
  return reach(parts, to);
}

bool FusionGroups::reach(const std::vector<KernelId>& from, GroupId to) const {
  return find_before(from, groups_[to].first, [&](KernelId kernel) { return group_of_[kernel] == to; });
}

// Whether one of the kernels depends on a target. Kernels before `first`, which is the first target, do not.
bool FusionGroups::find_before(const std::vector<KernelId>& from, KernelId first, const auto& is_target) const {
  seen_.clear();
  open_.clear();
  for (const KernelId kernel : from) {
    seen_.insert(kernel);
    if (kernel > first) open_.push_back(kernel);
  }
  while (!open_.empty()) {
    const KernelId kernel = open_.back();
    open_.pop_back();
    for (const KernelId before : depends_[kernel]) {
      if (is_target(before) || seen_.size() > kMaxVisited) return true;
      if (before > first && seen_.insert(before)) open_.push_back(before);
    }
  }
  return false;
}

bool FusionGroups::lead_to(const std::vector<KernelId>& from, const std::vector<KernelId>& to) const {
  targets_.clear();
  for (const KernelId kernel : to) targets_.insert(kernel);
  return find_before(from, std::ranges::min(to), [&](KernelId kernel) { return targets_.contains(kernel); });
}

bool FusionGroups::path_between(GroupId from, GroupId to) const {
  if (position_[from] < position_[to]) return false;
  std::vector<GroupId> open;
  seen_.clear();
  const auto follow = [&](GroupId group, bool direct) {
    for (const KernelId part : groups_[group].parts) {
      for (const KernelId before : depends_[part]) {
        const GroupId next = group_of_[before];
        if (next == from || (direct && next == to) || position_[next] < position_[to]) continue;
        if (seen_.insert(next)) open.push_back(next);
      }
    }
  };
  follow(from, true);
  while (!open.empty()) {
    const GroupId group = open.back();
    open.pop_back();
    if (group == to || seen_.size() > kMaxVisited) return true;
    follow(group, false);
  }
  return false;
}

// The positions, ascending, of the groups between the two on which the later one depends.
std::vector<std::uint32_t> FusionGroups::positions_between(GroupId later, GroupId earlier) const {
  std::vector<GroupId> open{later};
  seen_.clear();
  seen_.insert(later);
  std::vector<std::uint32_t> positions;
  while (!open.empty()) {
    const GroupId group = open.back();
    open.pop_back();
    for (const KernelId part : groups_[group].parts) {
      for (const KernelId before : depends_[part]) {
        const GroupId next = group_of_[before];
        if (position_[next] <= position_[earlier] || !seen_.insert(next)) continue;
        open.push_back(next);
        positions.push_back(position_[next]);
      }
    }
  }
  std::ranges::sort(positions);
  return positions;
}

std::vector<GroupId> FusionGroups::ordered() const {
  std::vector<GroupId> order, open, before;
  std::vector<bool> entered(groups_.size(), false), done(groups_.size(), false);
  for (KernelId k = 0; k < group_of_.size(); ++k) {
    if (is_first(k)) open.push_back(group_of_[k]);
    while (!open.empty()) {
      const GroupId id = open.back();
      if (entered[id]) {
        open.pop_back();
        if (!done[id]) order.push_back(id);
        done[id] = true;
        continue;
      }
      entered[id] = true;
      before.clear();
      append_groups_before(id, before);
      std::ranges::copy_if(before.rbegin(), before.rend(), std::back_inserter(open), [&](GroupId g) { return !entered[g]; });
    }
  }
  return order;
}

// In the order of the kernels that its own depend on.
void FusionGroups::append_groups_before(GroupId id, std::vector<GroupId>& before) const {
  const std::vector<KernelId>& parts = groups_[id].parts;
  const std::size_t begin = before.size();
  for (const KernelId part : parts) before.insert(before.end(), depends_[part].begin(), depends_[part].end());
  const auto kernels = before.begin() + static_cast<std::ptrdiff_t>(begin);
  if (parts.size() > 1) std::sort(kernels, before.end());
  auto end = kernels;
  for (auto kernel = kernels; kernel != before.end(); ++kernel) {
    if (group_of_[*kernel] != id) *end++ = group_of_[*kernel];
  }
  before.erase(end, before.end());
}

NumberLists FusionGroups::by_buffer() const {
  std::vector<NumberLists::Entry> users;
  std::vector<std::uint32_t> number(program_.buffers.size(), kNone);
  std::vector<GroupId> last;  // by number
  const auto meet = [&](BufferId buffer, GroupId group) {
    if (number[buffer] == kNone) {
      number[buffer] = static_cast<std::uint32_t>(last.size());
      last.push_back(kNone);
    }
    if (std::exchange(last[number[buffer]], group) != group) users.emplace_back(number[buffer], group);
  };
  for (const GroupId id : ordered()) {
    const Group& group = groups_[id];
    if (!program_.kernels[group.first].loops) continue;
    for (const KernelId part : group.parts) {
      for (const Access& read : program_.kernels[part].reads) meet(read.buffer, id);
    }
    for (const KernelId part : group.parts) {
      for (const auto* written : {&program_.kernels[part].writes, &program_.kernels[part].changes}) {
        for (const BufferId buffer : *written) meet(buffer, id);
      }
    }
  }
  return {last.size(), users};
}

void FusionGroups::join(GroupId into, GroupId from) {
  const auto [earlier, later] = position_[into] < position_[from] ? std::pair(into, from) : std::pair(from, into);
  const std::vector<std::uint32_t> moved = positions_between(later, earlier);
  const std::uint32_t begin = position_[earlier], end = position_[later];
  const std::vector<GroupId> before(at_.begin() + begin + 1, at_.begin() + end);
  std::uint32_t position = begin;
  for (const std::uint32_t each : moved) put(before[each - begin - 1], position++);
  put(into, position++);
  auto next = moved.begin();
  for (std::uint32_t each = begin + 1; each < end; ++each) {
    if (next != moved.end() && *next == each) ++next;
    else put(before[each - begin - 1], position++);
  }
  put(from, position);  // empty from now on
  Group &first = groups_[into], &second = groups_[from];
  for (const KernelId part : second.parts) group_of_[part] = into;
  first.parts.insert(first.parts.end(), second.parts.begin(), second.parts.end());
  first.first = std::min(first.first, second.first);
  first.last = std::max(first.last, second.last);
  second.parts.clear();
}

}  // namespace fxcut
