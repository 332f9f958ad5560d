#include "inductor/fused_loops.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace fxcut {
namespace {

// SIMDScheduling.can_fuse: compares numbers of elements.
bool equal_elements(const Loops& a, const Loops& b) {
  const std::int64_t a_outer = product(a.outer), b_outer = product(b.outer), a_inner = product(a.reduced),
                     b_inner = product(b.reduced);
  if (a.reduced.empty() == b.reduced.empty()) return a_outer == b_outer && a_inner == b_inner;
  return a_outer * a_inner == b_outer * b_inner || a_outer == b_outer;
}

bool is_plain(const Group& x, const Group& y) { return !x.nested_depth && !y.nested_depth; }

}  // namespace

FusedLoops::FusedLoops(const Kernels& program, const InductorRules& rules)
    : rules_(rules), tilings_(program, !rules.nests_loops) {
  loops_.resize(program.kernels.size());
  for (KernelId each = 0; each < program.kernels.size(); ++each) {
    if (program.kernels[each].loops) loops_[each] = *program.kernels[each].loops;
  }
}

bool FusedLoops::reduces(const Group& group) const {
  return std::ranges::any_of(group.parts, [&](KernelId part) { return !loops_[part].reduced.empty(); });
}

bool FusedLoops::are_one(const Group& x, const Group& y) const {
  if (rules_.nests_loops) return cpp_loop(x, y) != Cpp::Different;
  return equal_elements(loops(x), loops(y)) && are_tiled_alike(x, y);
}

ReducedElements FusedLoops::elements(const Group& group) const {
  return {product(loops(group).outer), product(loops(group).reduced)};
}

// SIMDScheduling.can_fuse, for loops of equally many elements.
bool FusedLoops::are_tiled_alike(const Group& x, const Group& y) const {
  const bool x_reduces = reduces(x), y_reduces = reduces(y);
  if (x_reduces && y_reduces) return true;
  if (!x_reduces && !y_reduces) return tilings_.agree(x.parts, y.parts);
  const ReducedElements reduction = elements(x_reduces ? x : y);
  const Group& other = x_reduces ? y : x;
  return elements(other).outer != reduction.outer * reduction.reduced || tilings_.suit(other.parts, reduction);
}

bool FusedLoops::are_plainly_one(const Group& producer, const Group& reader) const {
  return is_plain(producer, reader) && !reduces(producer) && are_one(producer, reader);
}

std::size_t FusedLoops::shared_depth(const Group& x, const Group& y) const {
  if (x.nested_depth && y.nested_depth) return x.nested_depth == y.nested_depth ? x.nested_depth : 0;
  const Extents& a = x.nested_depth ? x.last_loops : loops(x).outer;
  const Extents& b = y.nested_depth ? y.first_loops : loops(y).outer;
  const std::size_t depth = std::min(a.size(), b.size()), nested = x.nested_depth + y.nested_depth;
  if (nested && nested != depth) return 0;
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(depth), b.begin()) ? depth : 0;
}

void FusedLoops::join(Group& first, const Group& second, bool reads) {
  if (!rules_.nests_loops) return;
  if (is_plain(first, second) && cpp_loop(first, second) == Cpp::SameAfterMerging) {
    const bool is_first = loops(first).outer.size() < loops(second).outer.size();
    loops_[(is_first ? first : second).parts.front()].outer = loops(is_first ? second : first).outer;
  } else if (reads && !are_plainly_one(first, second)) {
    const std::size_t depth = shared_depth(first, second);
    first.first_loops = first.nested_depth ? first.first_loops : loops(first).outer;
    first.last_loops = second.nested_depth ? second.last_loops : loops(second).outer;
    first.nested_loops = nested_loops(first);
    std::ranges::copy(nested_loops(second), std::back_inserter(first.nested_loops));
    first.nested_depth = depth;
  }
}

std::vector<std::size_t> FusedLoops::nested_loops(const Group& group) const {
  if (group.nested_depth) return group.nested_loops;
  return {loops(group).outer.size() + loops(group).reduced.size()};
}

bool FusedLoops::makes_row(const Group& group, KernelId part) const {
  const Loops& of_part = loops_[part];
  return group.nested_depth && of_part.reduced.empty() && of_part.written == contiguous_strides(of_part.sizes) &&
         std::ranges::all_of(group.nested_loops, [&](std::size_t loops) { return loops == group.nested_depth + 1; });
}

// _why_fuse_nodes.
FusedLoops::Cpp FusedLoops::cpp_loop(const Group& x, const Group& y) const {
  const Loops &a = loops(x), &b = loops(y);
  if (a.outer == b.outer && a.reduced == b.reduced) return Cpp::Same;
  if (!a.reduced.empty()) return Cpp::Different;
  Extents all = b.outer;
  all.insert(all.end(), b.reduced.begin(), b.reduced.end());
  if (a.outer == all) return Cpp::Same;
  if (!b.reduced.empty() || product(a.outer) != product(b.outer)) return Cpp::Different;
  if (a.outer.size() > 1 && b.outer.size() > 1) return Cpp::Different;
  const auto &[merged, other] = a.outer.size() < b.outer.size() ? std::pair(&x, &y) : std::pair(&y, &x);
  const Extents& sizes = loops_[merged->parts.front()].sizes;
  const bool same_sizes = std::ranges::all_of(other->parts, [&](KernelId part) { return loops_[part].sizes == sizes; });
  return merged->parts.size() == 1 && same_sizes ? Cpp::SameAfterMerging : Cpp::Different;
}

const Loops& FusedLoops::loops(const Group& group) const {
  for (const KernelId part : group.parts) {
    if (!loops_[part].reduced.empty()) return loops_[part];
  }
  return loops_[group.parts.front()];
}

}  // namespace fxcut
