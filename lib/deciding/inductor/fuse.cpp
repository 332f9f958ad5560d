#include "inductor/fuse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "inductor/accesses.h"

namespace fxcut {
namespace {

constexpr int kMostRounds = 10;              // Scheduler.fuse_nodes
constexpr std::size_t kMostParts = 64;       // config.max_fusion_size
constexpr std::size_t kPairsOfBuffer = 64;   // config.max_fusion_buffer_group_pairwise_attempts
constexpr std::int64_t kFar = 64;            // Scheduler.are_long_distant_nodes
constexpr std::int64_t kLeastShared = 10;    // config.score_fusion_memory_threshold, bytes
constexpr std::int64_t kWorthOfShared = 32;  // Scheduler.can_fusion_increase_peak_memory
constexpr std::size_t kMostVisited = 10'000; // our own: a search for a cycle that takes longer finds one

using GroupId = std::uint32_t;

struct Group {
  std::vector<KernelId> parts;      // as they were joined
  KernelId first = 0, last = 0;     // in the order of the graph
  std::size_t nested_depth = 0;     // how many outer loops are shared by kernels nested in them; 0 if none are
  Extents first_loops, last_loops;  // outer loops of the first and the last that are nested
};

// Descending: the first is fused first.
struct Pair {
  int priority = 0;     // 1: loops are nested, which is tried when nothing else fuses
  bool alike = false;   // both of them reduce, or neither
  std::int64_t shared_bytes = 0;
  std::int64_t distance = 0;
  GroupId first = 0, second = 0;

  bool before(const Pair& other) const {
    return std::tuple(alike, shared_bytes, -distance) > std::tuple(other.alike, other.shared_bytes, -other.distance);
  }
};

// Why CppScheduling may write two kernels as one loop.
enum class Loop : std::uint8_t { Different, Same, SameAfterMerging };

class Fuser {
 public:
  Fuser(Kernels& program, const InductorRules& rules)
      : program_(program), rules_(rules), group_of_(program.kernels.size()), groups_(program.kernels.size()) {
    std::iota(group_of_.begin(), group_of_.end(), 0);
    for (KernelId k = 0; k < groups_.size(); ++k) groups_[k] = {{k}, k, k, 0, {}, {}};
    find_uses();
  }

  std::vector<FusedKernel> run() {
    for (int round = 0; round < kMostRounds && fuse_once(); ++round) {}
    find_vanishing();
    std::vector<FusedKernel> result;
    for (KernelId k = 0; k < group_of_.size(); ++k) {
      if (groups_[group_of_[k]].first == k) result.push_back(fused(groups_[group_of_[k]]));
    }
    return result;
  }

 private:
  void find_uses() {
    std::int64_t operations = 0;
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
      number_.push_back(operations);
      const auto results = static_cast<std::int64_t>(kernels[k].writes.size());
      operations += kernels[k].loops ? std::max<std::int64_t>(results, 1) : results > 1 ? results + 1 : 1;
      loops_.push_back(kernels[k].loops.value_or(Loops{}));
      reads_.push_back(read_places(kernels[k]));
      writes_.push_back(written_places(kernels[k]));
    }
  }

  bool fuse_once() {
    std::vector<Pair> pairs = possible_pairs();
    if (pairs.empty()) return false;
    const int priority = std::ranges::min(pairs, {}, &Pair::priority).priority;
    std::erase_if(pairs, [&](const Pair& pair) { return pair.priority != priority; });
    std::ranges::stable_sort(pairs, [](const Pair& one, const Pair& other) { return one.before(other); });
    bool any = false;
    for (const Pair& pair : pairs) {
      const GroupId first = group_of_[pair.first], second = group_of_[pair.second];
      if (first == second || !possible(first, second)) continue;  // by now they may be parts of others
      join(first, second);
      any = true;
    }
    return any;
  }

  // In the order in which inductor meets them, which decides between equals.
  std::vector<Pair> possible_pairs() const {
    std::vector<Pair> pairs;
    std::unordered_set<std::uint64_t> seen;
    for (const std::vector<GroupId>& users : groups_by_buffer()) {
      for (std::size_t i = 0; i < users.size(); ++i) {
        for (std::size_t j = i + 1; j < std::min(users.size(), i + 1 + kPairsOfBuffer); ++j) {
          if (!seen.insert((std::uint64_t{users[i]} << 32) | users[j]).second) continue;
          if (const auto pair = possible(users[i], users[j])) pairs.push_back(*pair);
        }
      }
    }
    return pairs;
  }

  // The groups with loops that use a buffer, by the buffers as they are met.
  std::vector<std::vector<GroupId>> groups_by_buffer() const {
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
    for (const GroupId id : ordered_groups()) {
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

  // Each after those that it depends on, else by their first kernels (topological_sort_schedule).
  std::vector<GroupId> ordered_groups() const {
    std::vector<GroupId> order;
    std::vector<bool> entered(groups_.size(), false), done(groups_.size(), false);
    std::vector<GroupId> open;
    for (KernelId k = 0; k < group_of_.size(); ++k) {
      if (groups_[group_of_[k]].first == k) open.push_back(group_of_[k]);
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

  std::vector<GroupId> groups_before(GroupId id) const {
    std::vector<KernelId> kernels;
    for (const KernelId part : groups_[id].parts) kernels.insert(kernels.end(), depends_[part].begin(), depends_[part].end());
    std::ranges::sort(kernels);
    std::vector<GroupId> before;
    for (const KernelId kernel : kernels) {
      if (group_of_[kernel] != id) before.push_back(group_of_[kernel]);
    }
    return before;
  }

  // Scheduler.can_fuse.
  std::optional<Pair> possible(GroupId first, GroupId second) const {
    const Group &a = groups_[first], &b = groups_[second];
    if (a.parts.size() + b.parts.size() > kMostParts || depends(first, second)) return {};
    const std::int64_t shared = shared_bytes(a, b);
    if (shared == 0 || may_raise_peak(a, b, shared)) return {};
    const std::int64_t distance =
        std::max(std::abs(number_[a.first] - number_[b.last]), std::abs(number_[b.first] - number_[a.last]));
    Pair pair{0, reduces(a) == reduces(b), shared, distance, first, second};
    if (depends(second, first)) {
      const auto priority = reader_priority(a, b);
      if (!priority) return {};
      pair.priority = *priority;
    } else if (pair.distance > kFar || shared < kLeastShared || a.nested_depth || b.nested_depth || !one_loop(a, b)) {
      return {};
    }
    if (path_between(second, first) || path_between(first, second)) return {};
    return pair;
  }

  // can_fusion_increase_peak_memory: inputs of both that nothing else reads could take each other's memory while they are apart.
  bool may_raise_peak(const Group& a, const Group& b, std::int64_t shared) const {
    std::int64_t elements = 0;
    const auto of_b = last_reads(b);
    for (const auto& each : last_reads(a)) {
      if (of_b.contains(each)) elements += each.first;
    }
    return elements > kWorthOfShared * shared;
  }

  // Elements and dtypes of the buffers that the group alone reads.
  std::set<std::pair<std::int64_t, const Dtype*>> last_reads(const Group& group) const {
    std::set<std::pair<std::int64_t, const Dtype*>> result;
    for (const KernelId part : group.parts) {
      for (const Access& read : program_.kernels[part].reads) {
        const Buffer& buffer = program_.buffers[read.buffer];
        if (buffer.is_input || buffer.is_output || readers_[read.buffer].size() != 1) continue;
        if (buffer.within || !program_.kernels[makers_[read.buffer]].runs) continue;  // a concatenation's terms use it too
        if (groups_[group_of_[makers_[read.buffer]]].first == group.first) continue;
        result.insert({buffer.elements, buffer.dtype});
      }
    }
    return result;
  }

  // The priority of fusing a producer with its reader, or nothing.
  std::optional<int> reader_priority(const Group& producer, const Group& reader) const {
    if (!walks_as_written(producer, reader)) return {};
    if (!rules_.nests_loops) return one_loop(producer, reader) ? std::optional(0) : std::nullopt;
    const bool plain = !producer.nested_depth && !reader.nested_depth && !reduces(producer);
    if (plain && one_loop(producer, reader)) return 0;
    return shared_depth(producer, reader) ? std::optional(1) : std::nullopt;
  }

  bool reduces(const Group& group) const {
    return std::ranges::any_of(group.parts, [&](KernelId part) { return !program_.kernels[part].loops->reduced.empty(); });
  }

  // The loops of a group's first reduction, if it has one.
  const Loops& loops(const Group& group) const {
    for (const KernelId part : group.parts) {
      if (!loops_[part].reduced.empty()) return loops_[part];
    }
    return loops_[group.parts.front()];
  }

  bool one_loop(const Group& x, const Group& y) const {
    return rules_.nests_loops ? cpp_loop(x, y) != Loop::Different : equal_elements(loops(x), loops(y));
  }

  // CppScheduling._why_fuse_nodes.
  Loop cpp_loop(const Group& x, const Group& y) const {
    const Loops &a = loops(x), &b = loops(y);
    if (a.outer == b.outer && a.reduced == b.reduced) return Loop::Same;
    if (!a.reduced.empty()) return Loop::Different;
    Extents all = b.outer;
    all.insert(all.end(), b.reduced.begin(), b.reduced.end());
    if (a.outer == all) return Loop::Same;
    if (!b.reduced.empty() || product(a.outer) != product(b.outer)) return Loop::Different;
    if (a.outer.size() > 1 && b.outer.size() > 1) return Loop::Different;
    const auto &[merged, other] = a.outer.size() < b.outer.size() ? std::pair(&x, &y) : std::pair(&y, &x);
    const Extents& sizes = loops_[merged->parts.front()].sizes;
    const bool same_sizes = std::ranges::all_of(other->parts, [&](KernelId part) { return loops_[part].sizes == sizes; });
    return merged->parts.size() == 1 && same_sizes ? Loop::SameAfterMerging : Loop::Different;
  }

  // SIMDScheduling.can_fuse: numbers of elements decide.
  static bool equal_elements(const Loops& a, const Loops& b) {
    const std::int64_t a_outer = product(a.outer), b_outer = product(b.outer), a_inner = product(a.reduced),
                       b_inner = product(b.reduced);
    if (a.reduced.empty() == b.reduced.empty()) return a_outer == b_outer && a_inner == b_inner;
    return a_outer * a_inner == b_outer * b_inner || a_outer == b_outer;
  }

  // CppScheduling._get_outer_loop_fusion_depth.
  std::size_t shared_depth(const Group& x, const Group& y) const {
    if (x.nested_depth && y.nested_depth) return x.nested_depth == y.nested_depth ? x.nested_depth : 0;
    const Extents& a = x.nested_depth ? x.last_loops : loops(x).outer;
    const Extents& b = y.nested_depth ? y.first_loops : loops(y).outer;
    const std::size_t depth = std::min(a.size(), b.size()), nested = x.nested_depth + y.nested_depth;
    if (nested && nested != depth) return 0;
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(depth), b.begin()) ? depth : 0;
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
    const KernelId first = groups_[to].first;
    const auto follow = [&](GroupId group, bool direct) {
      for (const KernelId part : groups_[group].parts) {
        for (const KernelId before : depends_[part]) {
          const GroupId next = group_of_[before];
          if (next == from || (direct && next == to) || groups_[next].last < first) continue;
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

  void join(GroupId into, GroupId from) {
    Group &first = groups_[into], &second = groups_[from];
    const bool plain = !first.nested_depth && !second.nested_depth;
    if (rules_.nests_loops && plain && cpp_loop(first, second) == Loop::SameAfterMerging) {
      const bool is_first = loops(first).outer.size() < loops(second).outer.size();
      loops_[(is_first ? first : second).parts.front()].outer = loops(is_first ? second : first).outer;
    } else if (rules_.nests_loops && depends(from, into) && !(plain && one_loop(first, second) && !reduces(first))) {
      const std::size_t depth = shared_depth(first, second);
      first.first_loops = first.nested_depth ? first.first_loops : loops(first).outer;
      first.last_loops = second.nested_depth ? second.last_loops : loops(second).outer;
      first.nested_depth = depth;
    }
    for (const KernelId part : second.parts) group_of_[part] = into;
    first.parts.insert(first.parts.end(), second.parts.begin(), second.parts.end());
    first.first = std::min(first.first, second.first);
    first.last = std::max(first.last, second.last);
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
    result.runs = program_.kernels[group.parts.front()].runs;
    result.library = result.runs && !program_.kernels[group.parts.front()].loops;
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
  std::vector<Loops> loops_;                        // by kernel
  std::vector<std::int64_t> number_;                // by kernel: the operations before it
};

}  // namespace

std::vector<Place> read_places(const Kernel& kernel) {
  if (!kernel.loops) return {};
  std::vector<Place> places;
  for (const Access& read : kernel.reads) {
    auto walk = walk_of(read, *kernel.loops);
    const bool known = walk.has_value();
    places.push_back({read.buffer, read.place, known ? std::move(*walk) : Walk{}, known});
  }
  return places;
}

std::vector<Place> written_places(const Kernel& kernel) {
  if (!kernel.loops) return {};
  std::vector<Place> places;
  for (const BufferId written : kernel.writes) {
    auto walk = walk_of({written, kernel.loops->written, 0}, *kernel.loops);
    const bool known = walk.has_value();
    places.push_back({written, 0, known ? std::move(*walk) : Walk{}, known});
  }
  return places;
}

std::vector<FusedKernel> fuse(Kernels& program, const InductorRules& rules) { return Fuser(program, rules).run(); }

}  // namespace fxcut
