#include "inductor/fuse.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "inductor/fused_loops.h"
#include "inductor/fusion_groups.h"
#include "inductor/looped_kernels.h"
#include "inductor/marks.h"
#include "inductor/mixed_groups.h"
#include "inductor/number_lists.h"
#include "inductor/numbered_deps.h"
#include "inductor/reordered_loops.h"

namespace fxcut {
namespace {

constexpr int kMaxFusionRounds = 10;             // Scheduler.fuse_nodes
constexpr std::size_t kMaxPartsPerGroup = 64;    // config.max_fusion_size
constexpr std::size_t kMaxHorizontalParts = 16;  // config.cpp.max_horizontal_fusion_size
constexpr std::size_t kPairsOfBuffer = 64;   // config.max_fusion_buffer_group_pairwise_attempts
constexpr std::int64_t kFarMore = 16;        // FusionScore.__lt__
constexpr std::int64_t kWorthOfShared = 32;  // Scheduler.can_fusion_increase_peak_memory

// Descending: the first is fused first.
struct Pair {
  int priority = 0;     // 1: loops are nested, which is tried when nothing else fuses
  bool alike = false;   // both of them reduce, or neither
  std::int64_t shared_bytes = 0;
  std::int64_t distance = 0;
  GroupId first = 0, second = 0;

  // FusionScore: the alike pair wins unless the other shares far more. Not transitive.
  bool before(const Pair& other) const {
    const auto [less, more] = std::minmax(shared_bytes, other.shared_bytes);
    if (more > 0 && (more - 1) / kFarMore >= less) return shared_bytes > other.shared_bytes;
    return std::tuple(alike, shared_bytes, -distance) > std::tuple(other.alike, other.shared_bytes, -other.distance);
  }
};

// A merge sort, which terminates for any comparison.
void sort_best_first(std::vector<Pair>& pairs) {
  std::vector<Pair> merged(pairs.size());
  for (std::size_t width = 1; width < pairs.size(); width *= 2) {
    for (std::size_t begin = 0; begin < pairs.size(); begin += 2 * width) {
      const auto at = [&](std::size_t offset) {
        return pairs.begin() + static_cast<std::ptrdiff_t>(std::min(begin + offset, pairs.size()));
      };
      std::merge(at(0), at(width), at(width), at(2 * width), merged.begin() + static_cast<std::ptrdiff_t>(begin),
                 [](const Pair& one, const Pair& other) { return one.before(other); });
    }
    pairs.swap(merged);
  }
}

// The operations that a kernel counts as in the distance of two kernels.
std::int64_t operations_in(const Kernel& kernel) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(kernel.writes.size()), 1);
}

// Elements and dtypes of the buffers that only this group reads, each once, in order.
using LastReads = std::vector<std::pair<std::int64_t, const Dtype*>>;

class Fuser {
 public:
  Fuser(Kernels& program, const InductorRules& rules)
      : program_(program), rules_(rules), groups_(program), loops_(program, rules),
        deps_(program, rules.reorders_loops ? LoopsAre::Apart : LoopsAre::Merged), reordered_(program, deps_, loops_),
        mixed_(program, rules, groups_, loops_, deps_, number_) {
    std::int64_t operations = 0;
    for (const Kernel& kernel : program.kernels) {
      number_.push_back(operations);
      operations += operations_in(kernel);
    }
    for (KernelId each = 0; each < program.kernels.size(); ++each) {
      deps_of_.push_back(deps_.of(each));
      last_reads_.push_back(last_reads(each));
    }
  }

  std::vector<FusedKernel> run() {
    for (int round = 0; round < kMaxFusionRounds && fuse_once(); ++round) {}
    reorders_ = rules_.reorders_loops;
    if (reorders_) fuse_once();
    find_vanishing();
    find_added_up();
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
    if (reorders_) std::ranges::for_each(pairs, [this](Pair& pair) { score_again(pair); });
    const int priority = std::ranges::min(pairs, {}, &Pair::priority).priority;
    std::erase_if(pairs, [&](const Pair& pair) { return pair.priority != priority; });
    sort_best_first(pairs);
    bool any = false;
    for (const Pair& pair : pairs) {
      const GroupId first = groups_.of(pair.first), second = groups_.of(pair.second);
      if (first == second || !possible(first, second) || makes_cycle(first, second)) continue;  // by now parts of others
      join(first, second);
      any = true;
    }
    return any;
  }

  void join(GroupId first, GroupId second) {
    const MixedSides sides = mixed_.sides(first, second);
    loops_.join(groups_[first], groups_[second], groups_.depends(second, first));
    groups_.join(first, second);
    if (sides.are_mixed()) {
      groups_[first].across = sides.across;
      groups_[first].parts = sides.along;
      groups_[first].parts.insert(groups_[first].parts.end(), sides.across.begin(), sides.across.end());
    }
    std::vector<DepNumber> deps;
    std::ranges::set_union(deps_of_[first], deps_of_[second], std::back_inserter(deps));
    deps_of_[first] = std::move(deps);
    deps_of_[second].clear();
    last_reads_[first] = last_reads(first);
    last_reads_[second].clear();
  }

  using GroupPair = std::pair<GroupId, GroupId>;

  // In the order in which inductor finds them, which breaks ties.
  std::vector<Pair> possible_pairs() {
    std::vector<Pair> pairs;
    for (const auto& [first, second] : users_together()) {
      if (const auto pair = possible(first, second)) pairs.push_back(*pair);
    }
    return pairs;
  }

  // Pairs of groups that use the same buffer, each at the first such buffer.
  std::vector<GroupPair> users_together() const {
    std::vector<GroupPair> pairs;
    const NumberLists by_buffer = groups_.by_buffer();
    for (std::size_t buffer = 0; buffer < by_buffer.size(); ++buffer) {
      const std::span<const GroupId> users = by_buffer[buffer];
      for (std::size_t i = 0; i < users.size(); ++i) {
        for (std::size_t j = i + 1; j < std::min(users.size(), i + 1 + kPairsOfBuffer); ++j) {
          if (!have_too_many_parts(users[i], users[j])) pairs.emplace_back(users[i], users[j]);
        }
      }
    }
    return without_repeated(pairs);
  }

  // There are so many that a set of them would take longer than most trials.
  std::vector<GroupPair> without_repeated(const std::vector<GroupPair>& pairs) const {
    const std::size_t groups = program_.kernels.size();
    std::vector<NumberLists::Entry> entries;
    entries.reserve(pairs.size());
    for (const GroupPair& pair : pairs) entries.emplace_back(pair.first, entries.size());
    const NumberLists by_first(groups, entries);
    std::vector<bool> is_repeated(pairs.size(), false);
    Marks seconds(groups);
    for (GroupId first = 0; first < groups; ++first, seconds.clear()) {
      for (const auto pair : by_first[first]) is_repeated[pair] = !seconds.insert(pairs[pair].second);
    }
    std::vector<GroupPair> once;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      if (!is_repeated[pair]) once.push_back(pairs[pair]);
    }
    return once;
  }

  // will_fusion_create_cycle. possible() does not ask this: pairs that would make a cycle are possible, and while there are such
  // pairs no loops are nested.
  bool makes_cycle(GroupId first, GroupId second) const {
    return groups_.path_between(second, first) || groups_.path_between(first, second);
  }

  bool have_too_many_parts(GroupId first, GroupId second) const {
    return groups_[first].parts.size() + groups_[second].parts.size() > kMaxPartsPerGroup;
  }

  // Loops that were reordered for another pair may have changed the memory that a pair shares.
  void score_again(Pair& pair) const {
    if (mixed_.mixture(pair.first, pair.second)) return;
    pair.shared_bytes = shared_bytes(pair.first, pair.second);
    pair.alike = pair.alike && pair.shared_bytes > 0;
  }

  // Scheduler.can_fuse.
  std::optional<Pair> possible(GroupId first, GroupId second) {
    std::optional<Pair> pair = possible_as_is(first, second);
    if (!reordered_.has_changed()) return pair;
    if (pair) reordered_.keep();
    else reordered_.undo();
    renew_deps(first, second);
    return pair;
  }

  // As they are; loops may be reordered if that makes it possible.
  std::optional<Pair> possible_as_is(GroupId first, GroupId second) {
    const Group &a = groups_[first], &b = groups_[second];
    if (have_too_many_parts(first, second) || groups_.depends(first, second)) return {};
    if (a.across.empty() && !b.across.empty()) return {};
    const std::optional<Mixture> mixture = mixed_.mixture(first, second);
    const bool is_read = groups_.depends(second, first);
    const std::int64_t distance = distance_of(a, b, number_);
    if (!mixture && !is_read && a.across.empty() && distance > kFar) return {};  // without a look at what they share
    const std::int64_t shared = mixture ? mixture->elements : shared_after_reordering(first, second);
    if (shared == 0 || may_raise_peak(first, second, mixture || !reorders_ ? shared : shared_bytes(first, second))) return {};
    Pair pair{0, loops_.reduces(a) == loops_.reduces(b), shared, distance, first, second};
    if (mixture) return pair;
    if (!a.across.empty()) return mixed_.sides(first, second).are_mixed() ? std::optional(pair) : std::nullopt;
    if (is_read) {
      auto priority = reader_priority(first, second);
      if (!priority && rules_.reorders_loops && reordered_.reindex(a, b)) priority = reader_priority(first, second);
      if (!priority || groups_.reads_after(second, first)) return {};
      pair.priority = *priority;
    } else if (!may_run_beside(a, b, pair) || groups_.is_before(first, second) || groups_.is_before(second, first)) {
      return {};
    }
    return pair;
  }

  // CppScheduling.can_fuse_horizontal and InductorChoices'.
  bool may_run_beside(const Group& a, const Group& b, const Pair& pair) const {
    if (rules_.nests_loops && a.parts.size() + b.parts.size() > kMaxHorizontalParts) return false;
    if (pair.distance > kFar || pair.shared_bytes < kMinSharedBytes) return false;
    return !a.nested_depth && !b.nested_depth && loops_.are_one(a, b);
  }

  // can_fusion_increase_peak_memory: while apart, one could reuse the memory of inputs that only the other reads.
  bool may_raise_peak(GroupId a, GroupId b, std::int64_t shared) const {
    if (last_reads_[a].empty() || last_reads_[b].empty()) return false;
    std::int64_t elements = 0;  // of those in both lists
    auto of_b = last_reads_[b].begin();
    for (const auto& of_a : last_reads_[a]) {
      while (of_b != last_reads_[b].end() && *of_b < of_a) ++of_b;
      if (of_b != last_reads_[b].end() && *of_b == of_a) elements += of_a.first;
    }
    return elements > kWorthOfShared * shared;
  }

  LastReads last_reads(GroupId group) const {
    LastReads result;
    for (const KernelId part : groups_[group].parts) {
      for (const Access& read : program_.kernels[part].reads) {
        const Buffer& buffer = program_.buffers[read.buffer];
        if (buffer.is_input || buffer.is_output || groups_.readers(read.buffer).size() != 1) continue;
        const KernelId maker = groups_.maker(read.buffer);
        if (buffer.within || !program_.kernels[maker].runs) continue;  // a concatenation's terms use it too
        if (groups_.of(maker) != group) result.push_back({buffer.elements, buffer.dtype});
      }
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  // The priority of fusing a producer with its reader; nullopt if they cannot fuse.
  std::optional<int> reader_priority(GroupId producer_id, GroupId reader_id) const {
    if (!walks_as_written(producer_id, reader_id)) return {};
    const Group &producer = groups_[producer_id], &reader = groups_[reader_id];
    if (!rules_.nests_loops) return loops_.are_one(producer, reader) ? std::optional(0) : std::nullopt;
    if (loops_.are_plainly_one(producer, reader)) return 0;
    return loops_.shared_depth(producer, reader) ? std::optional(1) : std::nullopt;
  }

  // can_fuse_vertical. Before 2.15 a buffer that is read by merged loops and by others is not matched with the write: inductor
  // removes items from the list of remaining reads while it iterates over it, and so skips every other one.
  bool walks_as_written(GroupId producer, GroupId reader) const {
    std::vector<std::pair<BufferId, DepNumber>> read_at;  // by buffer of the producer, the first read
    const auto is_first_way = [&](BufferId buffer, DepNumber read) {
      const auto found = std::ranges::find(read_at, buffer, &std::pair<BufferId, DepNumber>::first);
      if (found != read_at.end()) return found->second == read;
      read_at.emplace_back(buffer, read);
      return true;
    };
    const auto as_written = [&](DepNumber read) {
      const BufferId buffer = deps_.buffer(read);
      const bool is_producers = groups_.is_made(buffer) && groups_.of(groups_.maker(buffer)) == producer;
      if (!is_producers) return true;
      return deps_.is_as_written(read) && (rules_.fuses_two_ways || is_first_way(buffer, read));
    };
    return std::ranges::all_of(groups_[reader].parts, [&](KernelId part) {
      return std::ranges::all_of(deps_.reads(part), as_written);
    });
  }

  std::int64_t shared_after_reordering(GroupId a, GroupId b) {
    const std::int64_t shared = shared_bytes(a, b);
    if (!reorders_ || shared >= kMinSharedBytes || !groups_[a].across.empty()) return shared;
    std::optional<std::int64_t> after = reordered_.shared_after(groups_[a], groups_[b]);
    const bool is_reindexed = !after && reordered_.reindex(groups_[a], groups_[b]);
    if (is_reindexed) after = reordered_.shared_after(groups_[a], groups_[b]);
    if (reordered_.has_changed()) renew_deps(a, b);
    return after.value_or(is_reindexed ? shared_bytes(a, b) : shared);
  }

  void renew_deps(GroupId a, GroupId b) {
    for (const GroupId group : {a, b}) deps_of_[group] = deps_.of(groups_[group].parts);
  }

  std::int64_t shared_bytes(GroupId a, GroupId b) const { return deps_.shared(deps_of_[a], deps_of_[b]).bytes; }

  void find_vanishing() {
    for (BufferId b = 0; b < program_.buffers.size(); ++b) {
      Buffer& buffer = program_.buffers[b];
      if (buffer.is_input || buffer.is_output || !groups_.is_made(b) || groups_.readers(b).empty()) continue;
      const KernelId maker = groups_.maker(b);
      const GroupId group = groups_.of(maker);
      buffer.vanishes = std::ranges::all_of(groups_.readers(b), [&](KernelId k) { return groups_.of(k) == group; });
      if (rules_.keeps_between_loops && buffer.vanishes && groups_[group].across.empty()) buffer.vanishes = !is_kept(group, b);
      buffer.is_local = buffer.vanishes && program_.kernels[maker].writes.size() == 1 && loops_.makes_row(groups_[group], maker);
    }
  }

  // The wrapper adds up the column results of mixed reductions; the result of the first of two steps has no memory.
  void find_added_up() {
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      if (!groups_.is_first(k)) continue;
      for (const KernelId part : groups_[groups_.of(k)].across) {
        for (const BufferId written : program_.kernels[part].writes) {
          if (program_.kernels[part].loops->whole) program_.buffers[written].vanishes = program_.buffers[written].is_local = true;
        }
        for (const BufferId result : mixed_.added_up(part)) {
          Buffer& buffer = program_.buffers[result];
          buffer.is_added_up = buffer.by_library = true;
          buffer.vanishes = buffer.is_local = false;
        }
      }
    }
  }

  bool is_kept(GroupId group, BufferId buffer) {
    const auto [found, is_new] = kept_.try_emplace(group);
    if (is_new) found->second = kept_between_loops(program_, groups_[group].parts);
    return std::ranges::find(found->second, buffer) != found->second.end();
  }

  FusedKernel fused(const Group& group) {
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
    if (!group.across.empty()) mixed_.add_workspace(group, result, program_);
    return result;
  }

  Kernels& program_;
  const InductorRules& rules_;
  FusionGroups groups_;
  FusedLoops loops_;
  NumberedDeps deps_;
  ReorderedLoops reordered_;
  bool reorders_ = false;                         // in this round
  std::vector<std::int64_t> number_;              // by kernel: the operations before it
  std::vector<std::vector<DepNumber>> deps_of_;   // by group: that it reads and writes, ascending
  std::vector<LastReads> last_reads_;             // by group
  const MixedGroups mixed_;
  std::unordered_map<GroupId, std::vector<BufferId>> kept_;  // between loops of the kernel
};

}  // namespace

std::vector<FusedKernel> fuse(Kernels& program, const InductorRules& rules) { return Fuser(program, rules).run(); }

}  // namespace fxcut
