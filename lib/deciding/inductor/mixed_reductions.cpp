#include "inductor/mixed_reductions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

#include "inductor/accesses.h"
#include "inductor/assumed_card.h"

namespace fxcut {
namespace {

// MixOrderReduction.can_fuse: elements, rows, and elements per row.
constexpr std::int64_t kMinElements = 5 << 20, kMinRows = 4096, kMaxRowElements = 16 * 1024;
constexpr std::size_t kMaxReads = 10;  // config.triton.mix_order_reduction_max_reads

// _pick_split_size: rows of a part, so that there are eight parts for each multiprocessor.
constexpr std::int64_t kParts = 8 * kMultiprocessors, kMinRowsPerPart = 16, kMaxRowsPerPart = 128;

bool is_whole(const Access& read, const Loops& loops) {
  if (!read.strides || read.strides->size() != loops.sizes.size()) return !read.gathered && !read.is_position();
  for (std::size_t i = 0; i < loops.sizes.size(); ++i) {
    if (loops.sizes[i] != 1 && (*read.strides)[i] == 0) return false;
  }
  return true;
}

}  // namespace

bool MixedReductions::reduces(KernelId part) const {
  const auto& loops = program_.kernels[part].loops;
  return loops && !loops->reduced.empty();
}

// Whether all reductions among them are first steps.
bool MixedReductions::is_split(const std::vector<KernelId>& parts) const {
  return std::ranges::all_of(parts, [&](KernelId part) { return !reduces(part) || program_.kernels[part].loops->whole; });
}

// get_numel_rnumel.
std::optional<ReducedElements> MixedReductions::elements_of(const std::vector<KernelId>& parts) const {
  const auto reduction = std::ranges::find_if(parts, [&](KernelId part) { return reduces(part); });
  if (reduction == parts.end()) return {};
  const Loops& loops = *program_.kernels[*reduction].loops;
  return is_split(parts) ? *loops.whole : ReducedElements{product(loops.outer), product(loops.reduced)};
}

std::int64_t MixedReductions::elements(const std::vector<KernelId>& parts) const {
  const std::optional<ReducedElements> of_parts = elements_of(parts);
  return of_parts ? of_parts->outer * of_parts->reduced : 0;
}

std::vector<BufferId> MixedReductions::whole_reads(const std::vector<KernelId>& parts) const {
  std::vector<BufferId> reads;
  for (const KernelId part : parts) {
    for (const Access& read : program_.kernels[part].reads) {
      if (is_whole(read, *program_.kernels[part].loops)) reads.push_back(read.buffer);
    }
  }
  std::ranges::sort(reads);
  return reads;
}

bool MixedReductions::share_whole_read(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const {
  std::vector<BufferId> shared;
  std::ranges::set_intersection(whole_reads(first), whole_reads(second), std::back_inserter(shared));
  return !shared.empty();
}

bool MixedReductions::are_along(const std::vector<KernelId>& parts) const {
  return std::ranges::all_of(parts, [&](KernelId part) {
    const Kernel& kernel = program_.kernels[part];
    return std::ranges::all_of(kernel.reads, [&](const Access& read) {
      const auto stride = read.strides ? innermost_stride(*read.strides, *kernel.loops) : std::nullopt;
      return !stride || *stride == 0 || *stride == 1;
    });
  });
}

bool MixedReductions::can_run_along(const std::vector<KernelId>& along, const std::vector<KernelId>& across) const {
  const ReducedElements rows = *elements_of(along);
  if (rows.outer * rows.reduced < kMinElements || rows.outer < kMinRows || rows.reduced > kMaxRowElements) return false;
  if (!rules_.mixes_flat_reductions && rows.outer < 2 * rows.reduced) return false;
  const bool walks_inward = std::ranges::all_of(along, [&](KernelId part) {
    const ReductionHint hint = program_.kernels[part].loops->hint;
    return !reduces(part) || hint == ReductionHint::Inner || hint == ReductionHint::Default;
  });
  if (!walks_inward || is_split(along)) return false;
  return std::ranges::all_of(across, [&](KernelId part) { return !reduces(part) || program_.kernels[part].loops->adds; });
}

std::optional<Mixture> MixedReductions::mixture(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const {
  const auto a = elements_of(first), b = elements_of(second);
  if (!a || !b || a->outer != b->reduced || a->reduced != b->outer || !share_whole_read(first, second)) return {};
  const bool first_is_along = are_along(first), second_is_along = are_along(second);
  if (!first_is_along && !second_is_along) return {};
  // A square tensor has as many rows as columns: only the strides of the reads distinguish them.
  if (*a == *b && (!rules_.mixes_flat_reductions || first_is_along == second_is_along)) return {};
  if (!(first_is_along ? can_run_along(first, second) : can_run_along(second, first))) return {};
  return Mixture{first_is_along, a->outer * a->reduced};
}

bool MixedReductions::read_few(const std::vector<KernelId>& first, const std::vector<KernelId>& second) const {
  std::vector<BufferId> reads;  // each once
  for (const auto* parts : {&first, &second}) {
    for (const KernelId part : *parts) {
      for (const Access& read : program_.kernels[part].reads) {
        if (std::ranges::find(reads, read.buffer) == reads.end()) reads.push_back(read.buffer);
        if (reads.size() > kMaxReads) return false;
      }
    }
  }
  return true;
}

std::int64_t workspace_elements(const ReducedElements& rows, std::size_t results) {
  const auto share = static_cast<std::uint64_t>(std::max<std::int64_t>(rows.outer / kParts, 1));
  const std::int64_t of_part =
      std::clamp(static_cast<std::int64_t>(std::bit_floor(share)), kMinRowsPerPart, kMaxRowsPerPart);
  return static_cast<std::int64_t>(results) * rows.reduced * parts_of(rows.outer, of_part);
}

}  // namespace fxcut
