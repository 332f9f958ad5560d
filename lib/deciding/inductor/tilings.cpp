#include "inductor/tilings.h"

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>

#include "graph/strides.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMaxTiledElements = std::int64_t{1} << 58;  // our own: their scores do not overflow

bool is_good_size(std::int64_t elements) { return elements >= 32 && elements % 32 == 0; }

// The entries of `by_loop`, sizes or strides, for loops of several elements, in order.
Extents several_in_order(const Loops& loops, const Extents& by_loop) {
  Extents ordered;
  for (const std::size_t i : loops.order) {
    if (loops.sizes[i] != 1) ordered.push_back(by_loop[i]);
  }
  return ordered;
}

// The loop after which the strides cut the loops; nullopt if there is none, or the access repeats in all loops after it.
std::optional<std::size_t> cut_of(const Extents& strides) {
  const auto one = std::ranges::find(strides, 1);
  if (one == strides.end()) return {};
  if (std::all_of(one + 1, strides.end(), [](std::int64_t stride) { return stride == 0; })) return {};
  return static_cast<std::size_t>(one - strides.begin()) + 1;
}

std::int64_t moving_elements_of(const Extents& sizes, const Extents& strides) {
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) elements *= strides[i] != 0 ? sizes[i] : 1;
  return elements;
}

}  // namespace

Tilings::Tilings(const Kernels& program, bool on_gpu)
    : program_(program), on_gpu_(on_gpu), candidates_(program.kernels.size()) {
  for (KernelId kernel = 0; kernel < program.kernels.size(); ++kernel) renew(kernel);
}

void Tilings::renew(KernelId kernel) {
  if (on_gpu_) candidates_[kernel] = candidates_of(program_.kernels[kernel]);
}

std::vector<Tilings::Candidate> Tilings::candidates_of(const Kernel& kernel) const {
  if (!kernel.loops || !kernel.loops->reduced.empty()) return {};
  const Extents sizes = several_in_order(*kernel.loops, kernel.loops->sizes);
  const std::int64_t all = product(sizes);
  if (all > kMaxTiledElements) return {};
  std::vector<Candidate> candidates;
  const auto consider = [&](BufferId buffer, const Extents& strides, bool writes) {
    if (strides.size() != kernel.loops->sizes.size()) return;
    const Extents ordered = several_in_order(*kernel.loops, strides);
    const std::optional<std::size_t> cut = cut_of(ordered);
    if (!cut) return;
    const std::span<const std::int64_t> loops(sizes);
    const std::int64_t outer = product(loops.first(*cut)), inner = product(loops.subspan(*cut));
    std::int64_t score = moving_elements_of(sizes, ordered) * (writes ? 2 : 1);
    for (const std::int64_t each : {outer, inner}) score *= is_good_size(each) ? 2 : 1;
    if (score >= all) candidates.push_back({buffer, score, {outer, inner}});
  };
  for (const Access& read : kernel.reads) {
    if (read.strides) consider(read.buffer, *read.strides, false);
    else if (read.steps) consider(read.buffer, *read.steps, false);
  }
  for (const auto* written : {&kernel.writes, &kernel.changes}) {
    for (const BufferId buffer : *written) consider(buffer, kernel.loops->written, true);
  }
  return candidates;
}

bool Tilings::has_candidates(const std::vector<KernelId>& kernels) const {
  return std::ranges::any_of(kernels, [&](KernelId kernel) { return !candidates_[kernel].empty(); });
}

Tiling Tilings::of(const std::vector<KernelId>& kernels) const {
  const Tiling as_one{product(program_.kernels[kernels.front()].loops->sizes)};
  std::unordered_set<BufferId> seen;
  std::vector<const Candidate*> candidates;
  for (const KernelId kernel : kernels) {
    for (const Candidate& each : candidates_[kernel]) {
      if (seen.insert(each.buffer).second) candidates.push_back(&each);
    }
  }
  std::ranges::stable_sort(candidates, [](const Candidate* a, const Candidate* b) { return a->score > b->score; });
  for (const Candidate* each : candidates) {
    if (std::ranges::all_of(kernels, [&](KernelId kernel) { return can_cut(kernel, each->tiling); })) return each->tiling;
  }
  return as_one;
}

bool Tilings::agree(const std::vector<KernelId>& a, const std::vector<KernelId>& b) const {
  if (!has_candidates(a) && !has_candidates(b)) return true;
  std::vector<KernelId> both = a;
  both.insert(both.end(), b.begin(), b.end());
  const Tiling of_a = of(a), of_b = of(b), of_both = of(both);
  return (of_a.size() == 1 || of_a == of_both) && (of_b.size() == 1 || of_b == of_both);
}

bool Tilings::suit(const std::vector<KernelId>& kernels, const ReducedElements& reduction) const {
  const Tiling wanted{reduction.outer, reduction.reduced};
  if (!std::ranges::all_of(kernels, [&](KernelId kernel) { return can_cut(kernel, wanted); })) return false;
  if (!has_candidates(kernels)) return true;
  const Tiling tiling = of(kernels);
  return tiling.size() == 1 || tiling == wanted;
}

// SIMDKernel._split_iteration_ranges.
bool Tilings::can_cut(KernelId kernel, const Tiling& tiling) const {
  Tiling left = tiling;
  std::size_t at = 0;
  const Loops& loops = *program_.kernels[kernel].loops;
  for (const std::int64_t size : several_in_order(loops, loops.sizes)) {
    while (at < left.size() && left[at] == 1) ++at;
    if (at == left.size() || left[at] == 0) return false;
    if (size == 0) continue;
    const bool is_cut = at + 1 < left.size() && size > left[at];
    const std::int64_t here = is_cut ? left[at] : size, next = size / here;
    if (size % here != 0 || left[at] % here != 0 || (is_cut && left[at + 1] % next != 0)) return false;
    left[at] /= here;
    if (is_cut) left[at + 1] /= next;
  }
  return true;
}

}  // namespace fxcut
