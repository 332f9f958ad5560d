#include "inductor/fuse.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

#include "inductor/accesses.h"

namespace fxcut {
namespace {

constexpr int kMostRounds = 10;              // Scheduler.fuse_nodes
constexpr std::size_t kMostParts = 64;       // config.max_fusion_size
constexpr std::size_t kPairsOfBuffer = 64;   // config.max_fusion_buffer_group_pairwise_attempts
constexpr std::uint32_t kFar = 64;           // Scheduler.are_long_distant_nodes
constexpr std::int64_t kLeastShared = 10;    // config.score_fusion_memory_threshold, bytes
constexpr std::size_t kMostVisited = 10'000; // our own: a search for a cycle that takes longer finds one

using GroupId = std::uint32_t;

struct Group {
  std::vector<KernelId> parts;
  bool nested = false;           // kernels of equal outer loops
  Extents first_loops, last_loops;  // of the first and the last that are nested
};

// Ascending: the first is fused first.
struct Pair {
  int priority = 0;  // 1: loops are nested, which is tried when nothing else fuses
  bool unlike = false;  // one of them reduces
  std::int64_t shared_bytes = 0;  // negative, so that more comes first
  std::uint32_t distance = 0;
  GroupId first = 0, second = 0;

  auto operator<=>(const Pair&) const = default;
};

class Fuser {
 public:
  Fuser(Kernels& program, const InductorRules& rules)
      : program_(program), rules_(rules), group_of_(program.kernels.size()), groups_(program.kernels.size()) {
    std::iota(group_of_.begin(), group_of_.end(), 0);
    for (KernelId k = 0; k < groups_.size(); ++k) groups_[k].parts = {k};
    find_uses();
  }

  std::vector<FusedKernel> run() {
    for (int round = 0; round < kMostRounds && fuse_once(); ++round) {}
    find_vanishing();
    std::vector<FusedKernel> result;
    for (KernelId k = 0; k < group_of_.size(); ++k) {
      if (groups_[group_of_[k]].parts.front() == k) result.push_back(fused(groups_[group_of_[k]]));
    }
    return result;
  }

 private:
  void find_uses() {
    const auto& kernels = program_.kernels;
    makers_.assign(program_.buffers.size(), kNone);
    readers_.resize(program_.buffers.size());
    depends_.resize(kernels.size());
    for (KernelId k = 0; k < kernels.size(); ++k) {
      for (const Access& read : kernels[k].reads) {
        auto& readers = readers_[read.buffer];
        if (readers.empty() || readers.back() != k) readers.push_back(k);
        if (makers_[read.buffer] != kNone) depends_[k].push_back(makers_[read.buffer]);
      }
      for (const BufferId changed : kernels[k].changes) {
        depends_[k].insert(depends_[k].end(), readers_[changed].begin(), readers_[changed].end());
        readers_[changed].push_back(k);
      }
      std::erase(depends_[k], k);
      for (const BufferId written : kernels[k].writes) makers_[written] = k;
      reads_.push_back(read_places(kernels[k]));
      writes_.push_back(written_places(kernels[k], program_.buffers));
    }
  }

  bool fuse_once() {
    std::vector<Pair> pairs = possible_pairs();
    if (pairs.empty()) return false;
    std::ranges::sort(pairs);
    const int priority = pairs.front().priority;
    std::unordered_set<GroupId> changed;
    for (const Pair& pair : pairs) {
      if (pair.priority != priority) break;
      if (changed.contains(pair.first) || changed.contains(pair.second)) continue;
      if (path_between(pair.second, pair.first) || path_between(pair.first, pair.second)) continue;
      join(pair);
      changed.insert({pair.first, pair.second});
    }
    return !changed.empty();
  }

  std::vector<Pair> possible_pairs() const {
    std::vector<std::pair<GroupId, GroupId>> near;
    for (BufferId buffer = 0; buffer < readers_.size(); ++buffer) {
      const std::vector<GroupId> users = groups_using(buffer);
      for (std::size_t i = 0; i < users.size(); ++i) {
        for (std::size_t j = i + 1; j < std::min(users.size(), i + 1 + kPairsOfBuffer); ++j) near.push_back({users[i], users[j]});
      }
    }
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<Pair> pairs;
    for (const auto& [x, y] : near) {
      if (const auto pair = possible(x, y)) pairs.push_back(*pair);
    }
    return pairs;
  }

  std::vector<GroupId> groups_using(BufferId buffer) const {
    std::vector<GroupId> users;
    if (makers_[buffer] != kNone) users.push_back(group_of_[makers_[buffer]]);
    for (const KernelId reader : readers_[buffer]) users.push_back(group_of_[reader]);
    std::erase_if(users, [&](GroupId group) { return !program_.kernels[groups_[group].parts.front()].loops; });
    std::ranges::sort(users, {}, [&](GroupId group) { return groups_[group].parts.front(); });
    users.erase(std::unique(users.begin(), users.end()), users.end());
    return users;
  }

  std::optional<Pair> possible(GroupId x, GroupId y) const {
    const Group &a = groups_[x], &b = groups_[y];
    if (a.parts.size() + b.parts.size() > kMostParts) return {};
    const auto between = [](KernelId from, KernelId to) {
      return static_cast<std::uint32_t>(std::abs(static_cast<std::int64_t>(from) - static_cast<std::int64_t>(to)));
    };
    Pair pair{0, reduces(a) != reduces(b), 0,
              std::max(between(a.parts.front(), b.parts.back()), between(b.parts.front(), a.parts.back())), x, y};
    if (depends(x, y)) std::swap(pair.first, pair.second);
    if (depends(pair.second, pair.first)) {
      const auto priority = reader_priority(groups_[pair.first], groups_[pair.second]);
      if (!priority) return {};
      pair.priority = *priority;
    } else if (pair.distance > kFar || a.nested || b.nested || !(equal_loops(a, b) || equal_loops(b, a))) {
      return {};
    }
    const std::int64_t shared = shared_bytes(a, b);
    if (shared == 0 || (!depends(pair.second, pair.first) && shared < kLeastShared)) return {};
    pair.shared_bytes = -shared;
    if (path_between(pair.second, pair.first) || path_between(pair.first, pair.second)) return {};
    return pair;
  }

  // The priority of fusing a producer with its reader, or nothing.
  std::optional<int> reader_priority(const Group& producer, const Group& reader) const {
    if (!walks_as_written(producer, reader)) return {};
    if (!rules_.nests_loops) return equal_loops(producer, reader) ? std::optional(0) : std::nullopt;
    if (!producer.nested && !reader.nested && equal_loops(producer, reader) && !reduces(producer)) return 0;
    return equal_outer_loops(producer, reader) ? std::optional(1) : std::nullopt;
  }

  bool reduces(const Group& group) const {
    return std::ranges::any_of(group.parts, [&](KernelId part) { return !program_.kernels[part].loops->reduced.empty(); });
  }

  // The loops of a group's reduction, if it has one.
  const Loops& loops(const Group& group) const {
    for (const KernelId part : group.parts) {
      if (!program_.kernels[part].loops->reduced.empty()) return *program_.kernels[part].loops;
    }
    return *program_.kernels[group.parts.front()].loops;
  }

  bool equal_loops(const Group& x, const Group& y) const {
    const Loops &a = loops(x), &b = loops(y);
    if (!rules_.nests_loops) return equal_elements(a, b);
    if (a.outer == b.outer && a.reduced == b.reduced) return true;
    if (!a.reduced.empty()) return false;
    if (product(a.outer) != product(b.outer) * product(b.reduced)) return false;
    Extents all = b.outer;
    all.insert(all.end(), b.reduced.begin(), b.reduced.end());
    return a.outer == all || (b.reduced.empty() && (a.outer.size() == 1 || b.outer.size() == 1));
  }

  // SIMDScheduling.can_fuse: numbers of elements decide.
  static bool equal_elements(const Loops& a, const Loops& b) {
    const std::int64_t a_outer = product(a.outer), b_outer = product(b.outer), a_inner = product(a.reduced),
                       b_inner = product(b.reduced);
    if (a.reduced.empty() == b.reduced.empty()) return a_outer == b_outer && a_inner == b_inner;
    return a_outer * a_inner == b_outer * b_inner || a_outer == b_outer;
  }

  bool equal_outer_loops(const Group& x, const Group& y) const {
    const Extents& a = x.nested ? x.last_loops : loops(x).outer;
    const Extents& b = y.nested ? y.first_loops : loops(y).outer;
    const std::size_t depth = std::min(a.size(), b.size());
    return depth >= 1 && std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(depth), b.begin());
  }

  bool walks_as_written(const Group& producer, const Group& reader) const {
    std::vector<Place> written;
    for (const KernelId part : producer.parts) written.insert(written.end(), writes_[part].begin(), writes_[part].end());
    const auto as_written = [&](const Place& read) {
      bool same_buffer = false;
      for (const Place& place : written) {
        if (place.buffer != read.buffer) continue;
        if (place == read) return true;
        same_buffer = true;
      }
      return !same_buffer;
    };
    return std::ranges::all_of(reader.parts, [&](KernelId part) { return std::ranges::all_of(reads_[part], as_written); });
  }

  std::vector<Place> places(const Group& group) const {
    std::vector<Place> all;
    for (const KernelId part : group.parts) {
      all.insert(all.end(), reads_[part].begin(), reads_[part].end());
      all.insert(all.end(), writes_[part].begin(), writes_[part].end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  std::int64_t shared_bytes(const Group& a, const Group& b) const {
    std::vector<Place> shared;
    std::ranges::set_intersection(places(a), places(b), std::back_inserter(shared));
    std::int64_t bytes = 0;
    for (const Place& place : shared) bytes += program_.buffers[place.buffer].bytes;
    return bytes;
  }

  bool depends(GroupId on_other, GroupId other) const {
    return std::ranges::any_of(groups_[on_other].parts, [&](KernelId part) {
      return std::ranges::any_of(depends_[part], [&](KernelId before) { return group_of_[before] == other; });
    });
  }

  // Whether `from` depends on `to` through other groups. Dependencies are on kernels before.
  bool path_between(GroupId from, GroupId to) const {
    std::vector<GroupId> open;
    std::unordered_set<GroupId> seen;
    const KernelId first = groups_[to].parts.front();
    const auto follow = [&](GroupId group, bool direct) {
      for (const KernelId part : groups_[group].parts) {
        for (const KernelId before : depends_[part]) {
          const GroupId next = group_of_[before];
          if (next == from || (direct && next == to) || groups_[next].parts.back() < first) continue;
          if (seen.insert(next).second) open.push_back(next);
        }
      }
    };
    follow(from, true);
    while (!open.empty()) {
      const GroupId group = open.back();
      open.pop_back();
      if (group == to || seen.size() > kMostVisited) return true;
      follow(group, false);
    }
    return false;
  }

  void join(const Pair& pair) {
    Group &first = groups_[pair.first], &second = groups_[pair.second];
    if (pair.priority == 1) {
      first.first_loops = first.nested ? first.first_loops : loops(first).outer;
      first.last_loops = second.nested ? second.last_loops : loops(second).outer;
      first.nested = true;
    }
    for (const KernelId part : second.parts) group_of_[part] = pair.first;
    std::vector<KernelId> parts;
    std::ranges::merge(first.parts, second.parts, std::back_inserter(parts));
    first.parts = std::move(parts);
    second.parts.clear();
  }

  void find_vanishing() {
    for (BufferId b = 0; b < program_.buffers.size(); ++b) {
      Buffer& buffer = program_.buffers[b];
      if (buffer.is_input || buffer.is_output || makers_[b] == kNone || readers_[b].empty()) continue;
      buffer.vanishes = std::ranges::all_of(readers_[b], [&](KernelId k) { return group_of_[k] == group_of_[makers_[b]]; });
    }
  }

  FusedKernel fused(const Group& group) const {
    FusedKernel result;
    result.parts = group.parts;
    result.library = !program_.kernels[group.parts.front()].loops;
    for (const KernelId part : group.parts) {
      const Kernel& kernel = program_.kernels[part];
      result.writes.insert(result.writes.end(), kernel.writes.begin(), kernel.writes.end());
      result.changes.insert(result.changes.end(), kernel.changes.begin(), kernel.changes.end());
      for (const Access& read : kernel.reads) {
        if (std::ranges::find(result.reads, read.buffer) == result.reads.end()) result.reads.push_back(read.buffer);
      }
    }
    std::erase_if(result.reads, [&](BufferId b) { return std::ranges::find(result.writes, b) != result.writes.end(); });
    return result;
  }

  static constexpr KernelId kNone = std::numeric_limits<KernelId>::max();

  Kernels& program_;
  const InductorRules& rules_;
  std::vector<GroupId> group_of_;                // by kernel
  std::vector<Group> groups_;                    // by their first kernel, at first; empty if joined to another
  std::vector<KernelId> makers_;                 // by buffer
  std::vector<std::vector<KernelId>> readers_;   // by buffer, ascending; and those that overwrite it
  std::vector<std::vector<KernelId>> depends_;   // by kernel
  std::vector<std::vector<Place>> reads_, writes_;  // by kernel
};

}  // namespace

std::vector<Place> read_places(const Kernel& kernel) {
  if (!kernel.loops) return {};
  std::vector<Place> places;
  for (const Access& read : kernel.reads) {
    auto walk = walk_of(read, kernel.loops->sizes);
    const bool known = walk.has_value();
    places.push_back({read.buffer, read.place, known ? std::move(*walk) : Walk{}, known});
  }
  return places;
}

std::vector<Place> written_places(const Kernel& kernel, const std::vector<Buffer>& buffers) {
  std::vector<Place> places;
  for (const BufferId written : kernel.writes) {
    const std::int64_t elements = buffers[written].elements;
    places.push_back({written, 0, elements == 1 ? Walk{} : Walk{{elements, 1}}, true});
  }
  return places;
}

std::vector<FusedKernel> fuse(Kernels& program, const InductorRules& rules) { return Fuser(program, rules).run(); }

}  // namespace fxcut
