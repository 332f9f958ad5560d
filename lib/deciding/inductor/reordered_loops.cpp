#include "inductor/reordered_loops.h"

#include <algorithm>
#include <tuple>

#include "inductor/accesses.h"
#include "inductor/walks.h"

namespace fxcut {
namespace {

// A group's write of a buffer, or otherwise its last read of it.
struct Use {
  BufferId buffer = 0;
  DepNumber dep = 0;
  bool writes = false, reads = false;
};

// Each buffer once, ascending. Groups use few.
std::vector<Use> uses_of(const Kernels& program, const NumberedDeps& deps, const Group& group) {
  std::vector<Use> uses;
  const auto use_of = [&](BufferId buffer) -> Use& {
    const auto found = std::ranges::lower_bound(uses, buffer, {}, &Use::buffer);
    return found != uses.end() && found->buffer == buffer ? *found : *uses.insert(found, Use{buffer});
  };
  for (const KernelId part : group.parts) {
    for (const DepNumber read : deps.reads(part)) {
      Use& use = use_of(deps.buffer(read));
      if (!use.writes) use.dep = read;
      use.reads = true;
    }
    for (const BufferId written : program.kernels[part].writes) {
      if (deps.written(written) == kNotWritten) continue;
      Use& use = use_of(written);
      use.dep = deps.written(written);
      use.writes = true;
    }
  }
  return uses;
}

// Calls `visit` with the uses of each buffer that both use, ascending, until it returns true. Returns whether it did.
template <typename Visit>
bool any_used_by_both(const std::vector<Use>& a, const std::vector<Use>& b, const Visit& visit) {
  auto of_b = b.begin();
  for (const Use& of_a : a) {
    while (of_b != b.end() && of_b->buffer < of_a.buffer) ++of_b;
    if (of_b != b.end() && of_b->buffer == of_a.buffer && visit(of_a, *of_b)) return true;
  }
  return false;
}

bool is_same_by_stride(const MemoryDep& a, const MemoryDep& b) {
  if (!a.known || !b.known) return a == b;
  return a.number == b.number && merged_by_stride(a.walk) == merged_by_stride(b.walk);
}

// Whether both have the same sizes, so that only the order of the loops may differ.
bool may_differ_in_order(const MemoryDep& written, const MemoryDep& read) {
  const Walk of_read = merged(read.walk);
  return std::ranges::all_of(merged(written.walk), [&](const auto& loop) {
    return std::ranges::find(of_read, loop.first, &Walk::value_type::first) != of_read.end();
  });
}

// decide_loop_order_to_match: for each loop of `to`, the loop of `from` with its stride.
std::optional<std::vector<std::size_t>> order_to_match(const Walk& from, const Walk& to) {
  std::vector<std::size_t> order;
  for (const auto& [size, stride] : to) {
    const auto same = [&, stride = stride](const auto& loop) { return loop.second == stride; };
    if (stride == 0 || std::ranges::count_if(from, same) != 1 || std::ranges::count_if(to, same) != 1) return {};
    order.push_back(static_cast<std::size_t>(std::ranges::find_if(from, same) - from.begin()));
  }
  return order;
}

// Values of the traced loops, in the order in which the loops run.
Extents in_order(const Loops& loops, const Extents& as_traced) {
  Extents ordered;
  for (const std::size_t i : loops.order) ordered.push_back(as_traced[i]);
  return ordered;
}

}  // namespace

std::optional<std::int64_t> ReorderedLoops::shared_after(const Group& a, const Group& b) {
  const std::optional<Candidate> best = best_candidate(a, b);
  if (!best) return {};
  const MemoryDep of_a = deps_.dep(best->a), of_b = deps_.dep(best->b);
  if (of_a.walk.size() != of_b.walk.size()) {
    if (merged(of_a.walk) != merged(of_b.walk)) return {};
    return program_.buffers[of_a.buffer].bytes;
  }
  const bool is_reordered = !loops_.reduces(a) ? reorder(a, of_a, of_b) : !loops_.reduces(b) && reorder(b, of_b, of_a);
  if (!is_reordered) return {};
  return deps_.shared(deps_.of(a.parts), deps_.of(b.parts)).bytes;
}

std::optional<ReorderedLoops::Candidate> ReorderedLoops::best_candidate(const Group& a, const Group& b) const {
  std::optional<Candidate> best;
  const auto refuses = [&](const Use& mine, const Use& other) {
    const MemoryDep &x = deps_.dep(mine.dep), &y = deps_.dep(other.dep);
    const bool is_made = (mine.writes && other.reads) || (other.writes && mine.reads);
    if (is_same_by_stride(x, y)) {
      const Candidate next{is_made, program_.buffers[mine.buffer].elements, mine.dep, other.dep};
      if (!best || std::tuple(next.is_made, next.elements) > std::tuple(best->is_made, best->elements)) best = next;
      return false;
    }
    return is_made && x.known && y.known && !may_differ_in_order(mine.writes ? x : y, mine.writes ? y : x);
  };
  if (any_used_by_both(uses_of(program_, deps_, a), uses_of(program_, deps_, b), refuses)) return {};
  return best;
}

// reorder_loops_by_dep_pair: only if all parts have the same loops, as many as the two deps.
bool ReorderedLoops::reorder(const Group& group, const MemoryDep& from, const MemoryDep& to) {
  const auto loops_in_order = [&](KernelId part) {
    const Loops& loops = *program_.kernels[part].loops;
    std::vector<std::int64_t> sizes;
    for (const std::size_t i : loops.order) {
      if (loops.sizes[i] != 1) sizes.push_back(loops.sizes[i]);
    }
    return sizes;
  };
  const std::vector<std::int64_t> sizes = loops_in_order(group.parts.front());
  const auto order = order_to_match(from.walk, to.walk);
  if (!order || sizes.size() != from.walk.size()) return false;
  if (!std::ranges::all_of(group.parts, [&](KernelId part) { return loops_in_order(part) == sizes; })) return false;
  for (const KernelId part : group.parts) {
    Loops& loops = *program_.kernels[part].loops;
    before_.emplace_back(part, program_.kernels[part]);
    std::vector<std::size_t> several, single;
    for (const std::size_t i : loops.order) (loops.sizes[i] != 1 ? several : single).push_back(i);
    std::ranges::transform(*order, loops.order.begin(), [&](std::size_t i) { return several[i]; });
    std::ranges::copy(single, loops.order.begin() + static_cast<std::ptrdiff_t>(several.size()));
    renew(part);
  }
  return true;
}

bool ReorderedLoops::reindex(const Group& a, const Group& b) {
  const bool a_reduces = loops_.reduces(a);
  if (a_reduces == loops_.reduces(b)) return false;
  const Group& other = a_reduces ? b : a;
  const ReducedElements reduction = loops_.elements(a_reduces ? a : b);
  const bool fits = std::ranges::all_of(other.parts, [&](KernelId part) {
    const Loops& loops = *program_.kernels[part].loops;
    return product(loops.sizes) == reduction.outer * reduction.reduced && loops_.can_cut(part, reduction) &&
           reshaped(in_order(loops, loops.sizes), in_order(loops, loops.written), {{reduction.outer, reduction.reduced}});
  });
  const bool has_them = std::ranges::all_of(other.parts, [&](KernelId part) {
    return program_.kernels[part].loops->sizes == Extents{reduction.outer, reduction.reduced};
  });
  if (!fits || has_them) return false;
  const std::size_t before = before_.size();
  for (const KernelId part : other.parts) reindex(part, reduction);
  if (share_walks(a, b)) return true;
  undo_from(before);
  return false;
}

void ReorderedLoops::reindex(KernelId part, const ReducedElements& reduction) {
  Kernel& kernel = program_.kernels[part];
  before_.emplace_back(part, kernel);
  Loops& loops = *kernel.loops;
  const Extents from = in_order(loops, loops.sizes), to{reduction.outer, reduction.reduced};
  for (Access& read : kernel.reads) {
    if (read.strides && read.strides->size() == from.size()) read.strides = in_order(loops, *read.strides);
    if (read.steps && read.steps->size() == from.size()) read.steps = in_order(loops, *read.steps);
    read = reindexed(read, from, to);
  }
  loops.written = *reshaped(from, in_order(loops, loops.written), to);
  loops.sizes = to;
  loops.order = {0, 1};
  renew(part);
}

// Whether a buffer that both use is walked alike (deps_match_normalized).
bool ReorderedLoops::share_walks(const Group& a, const Group& b) const {
  return any_used_by_both(uses_of(program_, deps_, a), uses_of(program_, deps_, b), [&](const Use& mine, const Use& other) {
    const MemoryDep &x = deps_.dep(mine.dep), &y = deps_.dep(other.dep);
    if (!x.known || !y.known || x.walk.size() == y.walk.size()) return is_same_by_stride(x, y);
    return x.number == y.number && merged(x.walk) == merged(y.walk);
  });
}

void ReorderedLoops::renew(KernelId kernel) {
  deps_.renew(kernel);
  loops_.renew(kernel);
}

void ReorderedLoops::undo() { undo_from(0); }

void ReorderedLoops::undo_from(std::size_t first) {
  for (; before_.size() > first; before_.pop_back()) {
    program_.kernels[before_.back().first] = before_.back().second;
    renew(before_.back().first);
  }
}

}  // namespace fxcut
