#include "inductor/looped_kernels.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "inductor/accesses.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMaxInnerAtOnce = 1024, kMaxOtherAtOnce = 64;  // should_use_persistent_reduction

ReducedElements elements_of(const Loops& loops) { return {product(loops.outer), product(loops.reduced)}; }

bool walks_by_more_than_one(const Kernel& kernel) {
  const Loops& loops = *kernel.loops;
  const auto is_far = [&](const Extents& strides) { return innermost_stride(strides, loops).value_or(0) > 1; };
  return is_far(loops.written) ||
         std::ranges::any_of(kernel.reads, [&](const Access& read) { return read.strides && is_far(*read.strides); });
}

// Whether more of its reads are contiguous along reduced dimensions than along kept ones (tiling_scores_suggest_inner_reduction).
bool walks_inward(const Kernel& kernel) {
  std::int64_t along = 0, across = 0;
  for (const Access& read : kernel.reads) {
    if (!read.strides || read.strides->size() != kernel.loops->sizes.size()) continue;
    const auto stride = innermost_stride(*read.strides, *kernel.loops);
    if (stride == 1) ++along;
    else if (stride.value_or(0) > 1) ++across;
  }
  return along > across;
}

// SIMDKernelFeatures.get_reduction_hint.
ReductionHint hint_of(const Kernels& program, const std::vector<KernelId>& parts, const ReducedElements& elements) {
  std::optional<ReductionHint> all;
  bool is_far = false, inward = true;
  for (const KernelId part : parts) {
    const Kernel& kernel = program.kernels[part];
    const ReducedElements own = elements_of(*kernel.loops);
    if (own.reduced == 1) {
      is_far |= own.outer == elements.outer * elements.reduced && walks_by_more_than_one(kernel);
      continue;
    }
    const ReductionHint hint = kernel.loops->hint;
    all = all.value_or(hint) == hint ? hint : ReductionHint::Default;
    inward &= walks_inward(kernel);
  }
  ReductionHint hint = all.value_or(ReductionHint::Default);
  if (hint == ReductionHint::Inner && is_far) hint = ReductionHint::Default;
  return hint == ReductionHint::Default && inward ? ReductionHint::Inner : hint;
}

bool reduces_at_once(ReductionHint hint, std::int64_t reduced) {
  if (hint == ReductionHint::Inner) return reduced <= kMaxInnerAtOnce;
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(reduced));
  return (hint == ReductionHint::OuterTiny || is_power) && reduced <= kMaxOtherAtOnce;
}

// Assigns the parts of a kernel to its consecutive loops.
class LoopsOfParts {
 public:
  LoopsOfParts(const Kernels& program, const std::vector<KernelId>& parts, const ReducedElements& elements)
      : program_(program), elements_(elements) {
    for (const KernelId part : parts) assign(part);
    if (split_at_) split_last();
  }

  // By part: the loop that it is in; nullopt if it is in none.
  std::optional<std::size_t> of(KernelId part) const {
    const auto found = loop_of_.find(part);
    return found == loop_of_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  void assign(KernelId part) {
    const Kernel& kernel = program_.kernels[part];
    const ReducedElements own = elements_of(*kernel.loops);
    const bool reduces = own.reduced != 1;
    note_ancestors(part, kernel);
    if (!reduces && own.outer == elements_.outer) return end_loop();  // outside of loops, after what it reads
    if (waits_for_loop(part)) end_loop();
    const bool shares = std::ranges::any_of(kernel.reads, [&](const Access& read) { return used_.contains(read.buffer); });
    if (used_.empty() || shares) split_at_.reset();
    else if (!split_at_) split_at_ = in_loop_.size();
    in_loop_.push_back(part);
    loop_of_[part] = loop_;
    for (const Access& read : kernel.reads) used_.insert(read.buffer);
    if (reduces) results_.insert(part);
    else used_.insert(kernel.writes.begin(), kernel.writes.end());
  }

  // Notes the parts of the kernel that it is computed from.
  void note_ancestors(KernelId part, const Kernel& kernel) {
    std::unordered_set<KernelId>& before = ancestors_[part];
    for (const Access& read : kernel.reads) {
      const auto maker = makers_.find(read.buffer);
      if (maker == makers_.end()) continue;
      before.insert(maker->second);
      before.insert(ancestors_[maker->second].begin(), ancestors_[maker->second].end());
    }
    for (const BufferId written : kernel.writes) makers_[written] = part;
  }

  bool waits_for_loop(KernelId part) const {
    const std::unordered_set<KernelId>& before = ancestors_.at(part);
    return std::ranges::any_of(results_, [&](KernelId result) { return before.contains(result); });
  }

  void end_loop() {
    if (split_at_) split_last();
    if (!in_loop_.empty()) ++loop_;
    in_loop_.clear();
    used_.clear();
    results_.clear();
  }

  // Parts that share nothing with those before them in the loop get a loop of their own.
  void split_last() {
    ++loop_;
    for (std::size_t i = *split_at_; i < in_loop_.size(); ++i) loop_of_[in_loop_[i]] = loop_;
    split_at_.reset();
  }

  const Kernels& program_;
  const ReducedElements elements_;
  std::size_t loop_ = 0;
  std::vector<KernelId> in_loop_;              // the parts of the loop so far
  std::optional<std::size_t> split_at_;        // the first of these that shares nothing with those before
  std::unordered_set<BufferId> used_;          // in the loop
  std::unordered_set<KernelId> results_;       // reductions of the loop, available after it
  std::unordered_map<KernelId, std::size_t> loop_of_;
  std::unordered_map<KernelId, std::unordered_set<KernelId>> ancestors_;
  std::unordered_map<BufferId, KernelId> makers_;
};

}  // namespace

std::vector<BufferId> kept_between_loops(const Kernels& program, const std::vector<KernelId>& parts) {
  const auto reduction = std::ranges::find_if(parts, [&](KernelId part) {
    return program.kernels[part].loops && !program.kernels[part].loops->reduced.empty();
  });
  if (reduction == parts.end()) return {};
  const ReducedElements elements = elements_of(*program.kernels[*reduction].loops);
  if (reduces_at_once(hint_of(program, parts, elements), elements.reduced)) return {};
  const LoopsOfParts loops(program, parts, elements);
  std::unordered_map<BufferId, std::size_t> written_in;
  std::vector<BufferId> kept;
  for (const KernelId part : parts) {
    const Kernel& kernel = program.kernels[part];
    const auto loop = loops.of(part);
    if (!loop) continue;
    for (const Access& read : kernel.reads) {
      const auto writer = written_in.find(read.buffer);
      if (writer != written_in.end() && writer->second != *loop) kept.push_back(read.buffer);
    }
    if (!kernel.loops->reduced.empty()) continue;
    for (const BufferId written : kernel.writes) written_in[written] = *loop;
  }
  return kept;
}

}  // namespace fxcut
