#include "inductor/order_kernels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "inductor/number_lists.h"
#include "inductor/ready_kernels.h"

namespace fxcut {
namespace {

using Position = std::uint32_t;
using Order = std::vector<Position>;

// Inductor names buffers buf0, buf1, ... as they are made. A number that sorts as these names do as strings: the digits, padded
// with zeros, then their count.
std::uint64_t order_of_name(std::uint32_t number) {
  constexpr std::uint64_t kMinFilled = 1'000'000'000;  // has as many digits as the largest number
  std::uint64_t filled = number, digits = 10;
  for (; filled > 0 && filled < kMinFilled; --digits) filled *= 10;
  return filled * 16 + digits;
}

class Orders {
 public:
  Orders(const Kernels& program, const std::vector<FusedKernel>& kernels, const std::vector<bool>& freeable)
      : program_(program), kernels_(kernels), buffers_(program.buffers), freeable_(freeable), before_(kernels.size()),
        named_before_(kernels.size()), size_(kernels.size()), names_(program.buffers.size()) {
    name_buffers();
    find_uses();
    graph_ = order_of_graph();
    position_in_graph_.resize(kernels.size());
    for (Position i = 0; i < graph_.size(); ++i) position_in_graph_[graph_[i]] = i;
    find_sizes();
  }

  const Order& by_graph() const { return graph_; }

  // topological_sort_dfs.
  Order by_size() const {
    std::vector<std::int64_t> touched = size_;
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId buffer : uses_[k]) touched[k] += freed_[buffer];
    }
    const auto key = [&](Position position) { return std::pair{touched[position], position_in_graph_[position]}; };
    Order roots(kernels_.size());
    std::iota(roots.begin(), roots.end(), 0);
    std::ranges::sort(roots, {}, key);
    return depth_first(roots, [&](Position k) {
      Order before;
      for (const auto& [name, previous] : named_before_[k]) before.push_back(previous);
      std::ranges::sort(before, {}, key);
      return before;
    });
  }

  // topological_sort_bfs: kernels whose predecessors ran earliest come first.
  Order breadth_first() const {
    using Ready = std::pair<std::vector<Position>, Position>;
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<std::size_t> waits(kernels_.size());
    std::vector<Position> turn(kernels_.size());
    for (Position k = 0; k < kernels_.size(); ++k) {
      waits[k] = before_[k].size();
      if (waits[k] == 0) ready.push({{}, position_in_graph_[k]});
    }
    Order order;
    while (!ready.empty()) {
      const Position k = graph_[ready.top().second];
      ready.pop();
      turn[k] = static_cast<Position>(order.size());
      order.push_back(k);
      for (const Position next : after_[k]) {
        if (--waits[next] > 0) continue;
        std::vector<Position> turns;
        for (const Position previous : before_[next]) turns.push_back(turn[previous]);
        std::ranges::sort(turns);
        ready.push({std::move(turns), position_in_graph_[next]});
      }
    }
    return order;
  }

  // topological_sort_lpmf: among the ready kernels that stay below the peak so far, the one that leaves the least memory; if
  // there is none, the one that takes the least.
  Order least_peak_first() const {
    std::vector<std::size_t> left(buffers_.size()), waits(kernels_.size());
    for (BufferId b = 0; b < buffers_.size(); ++b) left[b] = readers_[b].size() + (buffers_[b].is_output ? 1 : 0);
    std::vector<std::int64_t> frees(kernels_.size());
    std::int64_t live = 0, outputs = 0;
    ReadyKernels ready(size_, position_in_graph_);
    for (BufferId b = 0; b < buffers_.size(); ++b) {
      if (freeable_[b] && !readers_[b].empty()) live += freed_[b];
    }
    for (Position k = 0; k < kernels_.size(); ++k) {
      waits[k] = before_[k].size();
      for (const BufferId b : uses_[k]) frees[k] += left[b] == 1 ? freed_[b] : 0;
      for (const BufferId b : kernels_[k].writes) {
        frees[k] += left[b] == 0 ? freed_[b] : 0;
        outputs += buffers_[b].is_output ? freed_[b] : 0;
      }
      if (waits[k] == 0) ready.put(k, frees[k]);
    }
    std::int64_t peak = std::max(live, outputs);
    Order order;
    while (!ready.empty()) {
      const Position k = ready.best_within(peak - live);
      ready.remove(k);
      order.push_back(k);
      live += size_[k];
      peak = std::max(peak, live);
      live -= frees[k];
      for (const Position next : after_[k]) {
        if (--waits[next] == 0) ready.put(next, frees[next]);
      }
      for (const BufferId b : uses_[k]) {
        if (--left[b] != 1) continue;
        for (const Position reader : readers_[b]) {
          frees[reader] += freed_[b];
          if (ready.contains(reader)) ready.put(reader, frees[reader]);
        }
      }
    }
    return order;
  }

  // estimate_peak_memory.
  KernelOrder estimate(Order order) const {
    std::vector<std::size_t> turn(kernels_.size());
    for (std::size_t i = 0; i < order.size(); ++i) turn[order[i]] = i;
    std::vector<std::int64_t> change(order.size() + 1, 0);
    const auto last_use = [&](BufferId b, std::size_t otherwise) {
      std::size_t last = otherwise;
      for (const Position reader : readers_[b]) last = std::max(last, turn[reader]);
      return last;
    };
    for (BufferId b = 0; b < buffers_.size(); ++b) {
      if (!freeable_[b] || readers_[b].empty()) continue;
      change[0] += freed_[b];
      if (!buffers_[b].is_output) change[last_use(b, 0) + 1] -= freed_[b];
    }
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId b : kernels_[k].writes) {
        change[turn[k]] += allocated_[b];
        if (!buffers_[b].is_output) change[last_use(b, turn[k]) + 1] -= freed_[b];
      }
    }
    std::partial_sum(change.begin(), change.end(), change.begin());
    const std::int64_t peak = std::ranges::max(change);
    return {std::move(order), peak, std::move(change)};
  }

 private:
  // Scheduler.topological_sort_schedule: the kernels that one waits for come in the order of the buffers' names.
  Order order_of_graph() const {
    Order roots(kernels_.size());
    std::iota(roots.begin(), roots.end(), 0);
    return depth_first(roots, [this](Position k) {
      std::vector<std::pair<std::uint64_t, Position>> named = named_before_[k];
      std::ranges::sort(named);
      Order before;
      for (const auto& [name, previous] : named) before.push_back(previous);
      return before;
    });
  }

  // compute_size_for_scheduler_buffer: a tuple is allocated with all its items, which are freed one by one.
  void find_sizes() {
    for (const Buffer& buffer : buffers_) {
      freed_.push_back(buffer.changed_from ? 0 : buffer.bytes);
      allocated_.push_back(buffer.item_of ? 0 : freed_.back());
    }
    find_sizes_of_inputs();
    for (const Buffer& buffer : buffers_) {
      if (buffer.item_of) allocated_[*buffer.item_of] = freed_[*buffer.item_of] = 0;
    }
    for (const Buffer& buffer : buffers_) {
      if (buffer.item_of) allocated_[*buffer.item_of] += buffer.bytes;
    }
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId b : kernels_[k].writes) size_[k] += allocated_[b];
    }
  }

  // get_freeable_input_buf: an input, which may be a view of a larger storage, counts as what its last reader reads.
  void find_sizes_of_inputs() {
    for (const Position k : graph_) {
      for (const KernelId part : kernels_[k].parts) {
        const Kernel& kernel = program_.kernels[part];
        for (const Access& read : kernel.reads) {
          const Buffer& buffer = buffers_[read.buffer];
          if (buffer.is_input && buffer.dtype) freed_[read.buffer] = elements_read(kernel, read) * buffer.dtype->size_bytes;
        }
      }
    }
  }

  // MemoryDep.get_numel: the product of the loops in which the access moves, even if it returns to the same places; all elements
  // for library calls and indexed positions.
  std::int64_t elements_read(const Kernel& kernel, const Access& read) const {
    const std::int64_t all = buffers_[read.buffer].elements;
    if (!kernel.loops) return all;
    const Extents& sizes = kernel.loops->sizes;
    if (!read.strides || read.strides->size() != sizes.size()) return std::min(read.taken.value_or(all), kMaxElementsCounted);
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if ((*read.strides)[i] != 0 && sizes[i] > 0) elements *= std::min(sizes[i], kMaxElementsCounted / elements);
    }
    return elements;
  }

  // Names buffers in the order in which inductor makes them: a tuple before its items.
  void name_buffers() {
    std::vector<bool> named(buffers_.size(), false);
    std::uint32_t next = 0;
    const auto give_name = [&](BufferId id) {
      if (named[id] || buffers_[id].is_input) return;
      named[id] = true;
      names_[id] = order_of_name(next++);
    };
    for (BufferId id = 0; id < buffers_.size(); ++id) {
      if (buffers_[id].item_of) give_name(*buffers_[id].item_of);
      give_name(id);
    }
  }

  void find_uses() {
    std::vector<Position> maker(buffers_.size(), kNone);
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId b : kernels_[k].writes) maker[b] = k;
    }
    std::vector<NumberLists::Entry> uses, readers;
    std::vector<Position> last_reader(buffers_.size(), kNone);
    for (Position k = 0; k < kernels_.size(); ++k) {
      const std::vector<BufferId> used = used_by(kernels_[k]), overwritten = overwritten_by(used);
      Order& before = before_[k];
      for (const BufferId b : used) {
        if (maker[b] != kNone && maker[b] != k) {
          before.push_back(maker[b]);
          if (std::ranges::find(overwritten, b) == overwritten.end()) named_before_[k].emplace_back(names_[b], maker[b]);
        }
        if (maker[b] == kNone && !freeable_[b]) continue;
        if (std::exchange(last_reader[b], k) == k) continue;
        readers.emplace_back(b, k);
        uses.emplace_back(k, b);
      }
      std::ranges::sort(before);
      before.erase(std::unique(before.begin(), before.end()), before.end());
    }
    readers_ = NumberLists(buffers_.size(), readers);
    uses_ = NumberLists(kernels_.size(), uses);
    wait_for_users();
    std::vector<NumberLists::Entry> after;
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const Position previous : before_[k]) after.emplace_back(previous, k);
    }
    after_ = NumberLists(kernels_.size(), after);
  }

  static std::vector<BufferId> used_by(const FusedKernel& kernel) {
    std::vector<BufferId> used;
    used.reserve(kernel.reads.size() + kernel.changes.size());
    used.insert(used.end(), kernel.reads.begin(), kernel.reads.end());
    used.insert(used.end(), kernel.changes.begin(), kernel.changes.end());
    return used;
  }

  // The buffers that are read as the buffer that they became.
  std::vector<BufferId> overwritten_by(const std::vector<BufferId>& used) const {
    std::vector<BufferId> overwritten;
    for (const BufferId b : used) {
      if (buffers_[b].changed_from) overwritten.push_back(*buffers_[b].changed_from);
    }
    return overwritten;
  }

  // Kernels that overwrite a buffer wait for those that use it, or its memory before them.
  void wait_for_users() {
    const auto overwrites = [](const FusedKernel& kernel) { return !kernel.changes.empty(); };
    if (std::ranges::none_of(kernels_, overwrites)) return;
    std::vector<NumberLists::Entry> by_buffer, by_whole;
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId b : used_by(kernels_[k])) {
        by_buffer.emplace_back(b, k);
        by_whole.emplace_back(whole_of(buffers_, b), k);
      }
    }
    const NumberLists readers(buffers_.size(), by_buffer), users(buffers_.size(), by_whole);
    for (Position k = 0; k < kernels_.size(); ++k) {
      for (const BufferId changed : kernels_[k].changes) {
        for (const Position reader : readers[changed]) wait(k, reader);
        for (const Position user : users[whole_of(buffers_, changed)]) {
          if (kernels_[user].parts.front() < kernels_[k].parts.front()) wait(k, user);
        }
      }
    }
  }

  // Makes `k`, which overwrites a buffer, wait for `reader`, unless that reads the result.
  void wait(Position k, Position reader) {
    const auto waits = [&](Position later, Position earlier) {
      return std::ranges::find(before_[later], earlier) != before_[later].end();
    };
    if (reader == k || waits(reader, k) || waits(k, reader)) return;
    before_[k].push_back(reader);
    const FusedKernel& waited = kernels_[reader];
    const auto& made = waited.writes.empty() ? waited.changes : waited.writes;
    named_before_[k].emplace_back(made.empty() ? 0 : names_[made.front()], reader);
  }

  // before: by kernel, those that it waits for, in the order of the search.
  template <typename Before>
  Order depth_first(const Order& roots, const Before& before) const {
    struct Open {
      Position kernel = 0;
      Order before;  // the next one last
    };
    std::vector<bool> seen(kernels_.size(), false);
    std::vector<Open> open;
    Order order;
    const auto enter = [&](Position k) {
      if (seen[k]) return;
      seen[k] = true;
      open.push_back({k, before(k)});
      std::ranges::reverse(open.back().before);
    };
    for (const Position root : roots) {
      enter(root);
      while (!open.empty()) {
        if (open.back().before.empty()) {
          order.push_back(open.back().kernel);
          open.pop_back();
          continue;
        }
        const Position next = open.back().before.back();
        open.back().before.pop_back();
        enter(next);
      }
    }
    return order;
  }

  static constexpr Position kNone = 0xffffffff;
  static constexpr std::int64_t kMaxElementsCounted = std::int64_t{1} << 38;  // our own: sums of these do not overflow

  const Kernels& program_;
  const std::vector<FusedKernel>& kernels_;
  const std::vector<Buffer>& buffers_;
  const std::vector<bool>& freeable_;
  std::vector<std::int64_t> allocated_, freed_;        // by buffer: bytes, when it is made and after its last use
  std::vector<Order> before_;                          // by kernel: those it waits for
  std::vector<std::vector<std::pair<std::uint64_t, Position>>> named_before_;  // among these, those whose own buffers it reads
  NumberLists after_;                                  // by kernel: those that wait for it
  NumberLists uses_;                                   // by kernel: what it reads that can be freed
  std::vector<std::int64_t> size_;                     // by kernel: what it allocates
  NumberLists readers_;                                // by buffer that can be freed
  Order graph_, position_in_graph_;                    // the order of the graph, and by kernel its position there
  std::vector<std::uint64_t> names_;                   // by buffer: a number in the order of their names
};

}  // namespace

KernelOrder order_kernels(const Kernels& program, const std::vector<FusedKernel>& kernels, const std::vector<bool>& freeable) {
  const Orders orders(program, kernels, freeable);
  KernelOrder best = orders.estimate(orders.by_graph());
  for (Order order : {orders.least_peak_first(), orders.breadth_first(), orders.by_size()}) {
    if (order.size() != kernels.size()) continue;
    KernelOrder next = orders.estimate(std::move(order));
    if (next.peak_bytes < best.peak_bytes) best = std::move(next);
  }
  return best;
}

}  // namespace fxcut
