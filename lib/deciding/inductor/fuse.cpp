#include "inductor/fuse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "inductor/fused_loops.h"
#include "inductor/fusion_groups.h"
#include "inductor/places.h"

namespace fxcut {
namespace {

constexpr int kMostRounds = 10;              // Scheduler.fuse_nodes
constexpr std::size_t kMostParts = 64;       // config.max_fusion_size
constexpr std::size_t kMostApart = 16;       // config.cpp.max_horizontal_fusion_size
constexpr std::size_t kPairsOfBuffer = 64;   // config.max_fusion_buffer_group_pairwise_attempts
constexpr std::int64_t kFar = 64;            // Scheduler.are_long_distant_nodes
constexpr std::int64_t kLeastShared = 10;    // config.score_fusion_memory_threshold, bytes
constexpr std::int64_t kWorthOfShared = 32;  // Scheduler.can_fusion_increase_peak_memory

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

// The operations that a kernel counts as, in the distance of two.
std::int64_t operations_in(const Kernel& kernel) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(kernel.writes.size()), 1);
}

class Fuser {
 public:
  Fuser(Kernels& program, const InductorRules& rules)
      : program_(program), rules_(rules), groups_(program), loops_(program, rules) {
    std::int64_t operations = 0;
    for (const Kernel& kernel : program.kernels) {
      number_.push_back(operations);
      operations += operations_in(kernel);
      reads_.push_back(read_places(kernel));
      writes_.push_back(written_places(kernel));
    }
  }

  std::vector<FusedKernel> run() {
    for (int round = 0; round < kMostRounds && fuse_once(); ++round) {}
    find_vanishing();
    std::vector<FusedKernel> result;
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      if (groups_.is_first(k)) result.push_back(fused(groups_[groups_.of(k)]));
    }
    return result;
  }

 private:
  bool fuse_once() {
    std::vector<Pair> pairs = possible_pairs();
    if (pairs.empty()) return false;
    const int priority = std::ranges::min(pairs, {}, &Pair::priority).priority;
    std::erase_if(pairs, [&](const Pair& pair) { return pair.priority != priority; });
    std::ranges::stable_sort(pairs, [](const Pair& one, const Pair& other) { return one.before(other); });
    bool any = false;
    for (const Pair& pair : pairs) {
      const GroupId first = groups_.of(pair.first), second = groups_.of(pair.second);
      if (first == second || !possible(first, second) || makes_cycle(first, second)) continue;  // by now parts of others
      loops_.join(groups_[first], groups_[second], groups_.depends(second, first));
      groups_.join(first, second);
      any = true;
    }
    return any;
  }

  // In the order in which inductor meets them, which decides between equals.
  std::vector<Pair> possible_pairs() const {
    std::vector<Pair> pairs;
    std::unordered_set<std::uint64_t> seen;
    for (const std::vector<GroupId>& users : groups_.by_buffer()) {
      for (std::size_t i = 0; i < users.size(); ++i) {
        for (std::size_t j = i + 1; j < std::min(users.size(), i + 1 + kPairsOfBuffer); ++j) {
          if (!seen.insert((std::uint64_t{users[i]} << 32) | users[j]).second) continue;
          if (const auto pair = possible(users[i], users[j])) pairs.push_back(*pair);
        }
      }
    }
    return pairs;
  }

  // will_fusion_create_cycle. Only what is fused so far is asked, and not what is possible: pairs that would make a cycle are
  // possible, and while there are such pairs no loops are nested.
  bool makes_cycle(GroupId first, GroupId second) const {
    return groups_.path_between(second, first) || groups_.path_between(first, second);
  }

  // Scheduler.can_fuse.
  std::optional<Pair> possible(GroupId first, GroupId second) const {
    const Group &a = groups_[first], &b = groups_[second];
    if (a.parts.size() + b.parts.size() > kMostParts || groups_.depends(first, second)) return {};
    const std::int64_t shared = shared_bytes(a, b);
    if (shared == 0 || may_raise_peak(a, b, shared)) return {};
    const std::int64_t distance =
        std::max(std::abs(number_[a.first] - number_[b.last]), std::abs(number_[b.first] - number_[a.last]));
    Pair pair{0, loops_.reduces(a) == loops_.reduces(b), shared, distance, first, second};
    if (groups_.depends(second, first)) {
      const auto priority = reader_priority(a, b);
      if (!priority || groups_.reads_after(second, first)) return {};
      pair.priority = *priority;
    } else if (!may_run_beside(a, b, pair) || groups_.is_before(first, second) || groups_.is_before(second, first)) {
      return {};
    }
    return pair;
  }

  // CppScheduling.can_fuse_horizontal and InductorChoices'.
  bool may_run_beside(const Group& a, const Group& b, const Pair& pair) const {
    if (rules_.nests_loops && a.parts.size() + b.parts.size() > kMostApart) return false;
    if (pair.distance > kFar || pair.shared_bytes < kLeastShared) return false;
    return !a.nested_depth && !b.nested_depth && loops_.are_one(a, b);
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
        if (buffer.is_input || buffer.is_output || groups_.readers(read.buffer).size() != 1) continue;
        const KernelId maker = groups_.maker(read.buffer);
        if (buffer.within || !program_.kernels[maker].runs) continue;  // a concatenation's terms use it too
        if (groups_[groups_.of(maker)].first == group.first) continue;
        result.insert({buffer.elements, buffer.dtype});
      }
    }
    return result;
  }

  // The priority of fusing a producer with its reader, or nothing.
  std::optional<int> reader_priority(const Group& producer, const Group& reader) const {
    if (!walks_as_written(producer, reader)) return {};
    if (!rules_.nests_loops) return loops_.are_one(producer, reader) ? std::optional(0) : std::nullopt;
    if (loops_.are_plainly_one(producer, reader)) return 0;
    return loops_.shared_depth(producer, reader) ? std::optional(1) : std::nullopt;
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

  void find_vanishing() {
    for (BufferId b = 0; b < program_.buffers.size(); ++b) {
      Buffer& buffer = program_.buffers[b];
      if (buffer.is_input || buffer.is_output || !groups_.is_made(b) || groups_.readers(b).empty()) continue;
      const KernelId maker = groups_.maker(b);
      const GroupId group = groups_.of(maker);
      buffer.vanishes = std::ranges::all_of(groups_.readers(b), [&](KernelId k) { return groups_.of(k) == group; });
      buffer.is_local = buffer.vanishes && program_.kernels[maker].writes.size() == 1 && loops_.makes_row(groups_[group], maker);
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
        for (std::optional<BufferId> b = read.buffer; b; b = program_.buffers[*b].changed_from) {
          if (std::ranges::find(result.reads, *b) == result.reads.end()) result.reads.push_back(*b);
        }
      }
    }
    std::erase_if(result.reads, [&](BufferId b) { return std::ranges::find(result.writes, b) != result.writes.end(); });
    return result;
  }

  Kernels& program_;
  const InductorRules& rules_;
  FusionGroups groups_;
  FusedLoops loops_;
  std::vector<std::vector<Place>> reads_, writes_;  // by kernel
  std::vector<std::int64_t> number_;                // by kernel: the operations before it
};

}  // namespace

std::vector<FusedKernel> fuse(Kernels& program, const InductorRules& rules) { return Fuser(program, rules).run(); }

}  // namespace fxcut
