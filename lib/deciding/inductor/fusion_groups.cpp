#include "inductor/fusion_groups.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace fxcut {
namespace {

constexpr std::size_t kMaxVisited = 10'000;  // our own: a longer search for a cycle is taken to have found one

}  // namespace

FusionGroups::FusionGroups(const Kernels& program)
    : program_(program), group_of_(program.kernels.size()), makers_(program.buffers.size(), kNone),
      readers_(program.buffers.size()), depends_(program.kernels.size()), place_(program.kernels.size()),
      at_(program.kernels.size()), seen_in_(program.kernels.size(), 0) {
  std::iota(group_of_.begin(), group_of_.end(), 0);
  std::iota(place_.begin(), place_.end(), 0);
  std::iota(at_.begin(), at_.end(), 0);
  std::vector<std::vector<KernelId>> users(program.buffers.size());  // by whole buffer: whatever overwrites a slice of it waits
  for (KernelId k = 0; k < program.kernels.size(); ++k) {
    const Kernel& kernel = program.kernels[k];
    groups_.push_back({{k}, k, k});
    for (const Access& read : kernel.reads) {
      auto& readers = readers_[read.buffer];
      if (readers.empty() || readers.back() != k) readers.push_back(k);
      if (makers_[read.buffer] != kNone) depends_[k].push_back(makers_[read.buffer]);
      users[whole_of(program.buffers, read.buffer)].push_back(k);
    }
    for (const BufferId changed : kernel.changes) {
      if (makers_[changed] != kNone) depends_[k].push_back(makers_[changed]);
      std::vector<KernelId>& before = users[whole_of(program.buffers, changed)];
      depends_[k].insert(depends_[k].end(), before.begin(), before.end());
      before.push_back(k);
      readers_[changed].push_back(k);
    }
    std::erase(depends_[k], k);
    for (const BufferId written : kernel.writes) makers_[written] = k;
  }
}

bool FusionGroups::depends(GroupId on_other, GroupId other) const {
  return std::ranges::any_of(groups_[on_other].parts, [&](KernelId part) {
    return std::ranges::any_of(depends_[part], [&](KernelId before) { return group_of_[before] == other; });
  });
}

bool FusionGroups::is_before(GroupId to, GroupId from) const { return reach(groups_[from].parts, to); }

// name_to_fused_node[...].ancestors: those of all parts of a group that is read.
bool FusionGroups::reads_after(GroupId from, GroupId to) const {
  std::vector<GroupId> read = groups_before(from);
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  std::vector<KernelId> parts;
  for (const GroupId group : read) {
    if (group != to) parts.insert(parts.end(), groups_[group].parts.begin(), groups_[group].parts.end());
  }
  return reach(parts, to);
}

// Whether one of the kernels depends on one of the group. Kernels before the group's first do not.
bool FusionGroups::reach(const std::vector<KernelId>& from, GroupId to) const {
  ++searches_;
  const auto see = [&](KernelId kernel) { return std::exchange(seen_in_[kernel], searches_) != searches_; };
  const KernelId first = groups_[to].first;
  std::size_t seen = 0;
  std::vector<KernelId> open;
  for (const KernelId kernel : from) {
    if (see(kernel)) ++seen;
    if (kernel > first) open.push_back(kernel);
  }
  while (!open.empty()) {
    const KernelId kernel = open.back();
    open.pop_back();
    for (const KernelId before : depends_[kernel]) {
      if (group_of_[before] == to || seen > kMaxVisited) return true;
      if (before <= first || !see(before)) continue;
      ++seen;
      open.push_back(before);
    }
  }
  return false;
}

bool FusionGroups::read(const std::vector<KernelId>& from, const std::vector<KernelId>& to) const {
  return std::ranges::any_of(from, [&](KernelId part) {
    return std::ranges::any_of(depends_[part], [&](KernelId before) { return std::ranges::find(to, before) != to.end(); });
  });
}

bool FusionGroups::lead_to(const std::vector<KernelId>& from, const std::vector<KernelId>& to) const {
  const std::unordered_set<KernelId> targets(to.begin(), to.end());
  const KernelId first = std::ranges::min(to);
  std::unordered_set<KernelId> seen(from.begin(), from.end());
  std::vector<KernelId> open = from;
  while (!open.empty()) {
    const KernelId kernel = open.back();
    open.pop_back();
    for (const KernelId before : depends_[kernel]) {
      if (targets.contains(before) || seen.size() > kMaxVisited) return true;
      if (before > first && seen.insert(before).second) open.push_back(before);
    }
  }
  return false;
}

bool FusionGroups::path_between(GroupId from, GroupId to) const {
  if (place_[from] < place_[to]) return false;
  std::vector<GroupId> open;
  std::unordered_set<GroupId> seen;
  const auto follow = [&](GroupId group, bool direct) {
    for (const KernelId part : groups_[group].parts) {
      for (const KernelId before : depends_[part]) {
        const GroupId next = group_of_[before];
        if (next == from || (direct && next == to) || place_[next] < place_[to]) continue;
        if (seen.insert(next).second) open.push_back(next);
      }
    }
  };
  follow(from, true);
  while (!open.empty()) {
    const GroupId group = open.back();
    open.pop_back();
    if (group == to || seen.size() > kMaxVisited) return true;
    follow(group, false);
  }
  return false;
}

// The places, ascending, after the earlier group of what the later one depends on.
std::vector<std::uint32_t> FusionGroups::places_between(GroupId later, GroupId earlier) const {
  std::vector<GroupId> open{later};
  std::unordered_set<GroupId> seen{later};
  std::vector<std::uint32_t> places;
  while (!open.empty()) {
    const GroupId group = open.back();
    open.pop_back();
    for (const KernelId part : groups_[group].parts) {
      for (const KernelId before : depends_[part]) {
        const GroupId next = group_of_[before];
        if (place_[next] <= place_[earlier] || !seen.insert(next).second) continue;
        open.push_back(next);
        places.push_back(place_[next]);
      }
    }
  }
  std::ranges::sort(places);
  return places;
}

std::vector<GroupId> FusionGroups::ordered() const {
  std::vector<GroupId> order;
  std::vector<bool> entered(groups_.size(), false), done(groups_.size(), false);
  std::vector<GroupId> open;
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
      const std::vector<GroupId> before = groups_before(id);
      std::ranges::copy_if(before.rbegin(), before.rend(), std::back_inserter(open), [&](GroupId g) { return !entered[g]; });
    }
  }
  return order;
}

std::vector<GroupId> FusionGroups::groups_before(GroupId id) const {
  std::vector<KernelId> kernels;
  for (const KernelId part : groups_[id].parts) kernels.insert(kernels.end(), depends_[part].begin(), depends_[part].end());
  std::ranges::sort(kernels);
  std::vector<GroupId> before;
  for (const KernelId kernel : kernels) {
    if (group_of_[kernel] != id) before.push_back(group_of_[kernel]);
  }
  return before;
}

std::vector<std::vector<GroupId>> FusionGroups::by_buffer() const {
  std::vector<std::vector<GroupId>> users;
  std::vector<std::uint32_t> place(program_.buffers.size(), kNone);
  const auto meet = [&](BufferId buffer, GroupId group) {
    if (place[buffer] == kNone) {
      place[buffer] = static_cast<std::uint32_t>(users.size());
      users.emplace_back();
    }
    std::vector<GroupId>& of = users[place[buffer]];
    if (of.empty() || of.back() != group) of.push_back(group);
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
  return users;
}

void FusionGroups::join(GroupId into, GroupId from) {
  const auto [earlier, later] = place_[into] < place_[from] ? std::pair(into, from) : std::pair(from, into);
  const std::vector<std::uint32_t> moved = places_between(later, earlier);
  const std::uint32_t begin = place_[earlier], end = place_[later];
  const std::vector<GroupId> before(at_.begin() + begin + 1, at_.begin() + end);
  std::uint32_t place = begin;
  for (const std::uint32_t each : moved) put(before[each - begin - 1], place++);
  put(into, place++);
  auto next = moved.begin();
  for (std::uint32_t each = begin + 1; each < end; ++each) {
    if (next != moved.end() && *next == each) ++next;
    else put(before[each - begin - 1], place++);
  }
  put(from, place);  // empty from now on
  Group &first = groups_[into], &second = groups_[from];
  for (const KernelId part : second.parts) group_of_[part] = into;
  first.parts.insert(first.parts.end(), second.parts.begin(), second.parts.end());
  first.first = std::min(first.first, second.first);
  first.last = std::max(first.last, second.last);
  second.parts.clear();
}

}  // namespace fxcut
