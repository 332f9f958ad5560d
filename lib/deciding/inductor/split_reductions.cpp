#include "inductor/split_reductions.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>

#include "inductor/assumed_card.h"

namespace fxcut {
namespace {

// The threads of a multiprocessor and of a warp.
constexpr std::int64_t kThreadsPerMultiprocessor = 2048, kWarp = 32;

// The numbers of reduction_split_factor.
constexpr std::int64_t kMinElementsPerThread = kWarp, kMaxElementsPerThread = 512, kThreads = 8 * kWarp;
constexpr std::int64_t kMinElementsOnDevice = kMinElementsPerThread * kMultiprocessors * kThreadsPerMultiprocessor;
constexpr std::int64_t kMaxElementsOnDevice = kMaxElementsPerThread * kMultiprocessors * kThreadsPerMultiprocessor;
constexpr std::int64_t kMaxElementsUnsplit = 8192;  // _inner_reduction_no_split_threshold, before Blackwell
constexpr std::int64_t kRowsOfThread = 4, kColumnsOfBlock = 128;

// The divisor of `number` nearest to `wanted`; the smaller one if two are.
std::int64_t nearest_divisor(std::int64_t number, std::int64_t wanted) {
  std::int64_t nearest = 1;
  const auto consider = [&](std::int64_t divisor) {
    const std::int64_t distance = std::abs(divisor - wanted), least = std::abs(nearest - wanted);
    if (distance < least || (distance == least && divisor < nearest)) nearest = divisor;
  };
  for (std::int64_t i = 1; i * i <= number; ++i) {
    if (number % i != 0) continue;
    consider(i);
    consider(number / i);
  }
  return nearest;
}

// The elements per thread: `wanted`, which fills the device, or a divisor of `reduced` near it.
std::int64_t elements_per_thread(std::int64_t reduced, std::int64_t wanted, std::int64_t near) {
  const std::int64_t divisor = nearest_divisor(reduced, wanted);
  return std::abs(divisor - wanted) < near ? std::max(divisor, kMinElementsPerThread) : wanted;
}

std::int64_t max_elements_per_thread(std::int64_t reduced) {
  const std::int64_t divisor = nearest_divisor(reduced, kMaxElementsPerThread);
  return std::abs(divisor - kMaxElementsPerThread) < 50 ? divisor : kMaxElementsPerThread;
}

std::int64_t parts_of_inner(std::int64_t reduced, std::int64_t outer) {
  if (outer >= 2 * kMultiprocessors || reduced <= kMaxElementsUnsplit) return 1;
  std::int64_t each = kMinElementsPerThread;
  if (reduced * outer >= kMaxElementsOnDevice) {
    each = max_elements_per_thread(reduced);
  } else if (reduced * outer > kMinElementsOnDevice) {
    const std::int64_t blocks = parts_of(kMultiprocessors * kThreadsPerMultiprocessor / (2 * kThreads), outer);
    each = elements_per_thread(reduced, parts_of(reduced, kThreads * blocks), 30);
  }
  return parts_of(reduced, each * kThreads);
}

std::int64_t parts_of_outer(std::int64_t reduced, std::int64_t outer) {
  const std::int64_t columns = parts_of(outer, kColumnsOfBlock);
  std::int64_t each = kMinElementsPerThread;
  if (reduced * outer >= kMaxElementsOnDevice) {
    each = max_elements_per_thread(reduced);
  } else if (reduced * outer >= kMinElementsOnDevice) {
    const std::int64_t blocks = parts_of(kMultiprocessors * kThreadsPerMultiprocessor / kThreads, columns);
    each = elements_per_thread(reduced, parts_of(reduced, kRowsOfThread * blocks), 20);
  }
  return parts_of(reduced, kRowsOfThread * each);
}

// The dimensions in [begin, end) with several elements in which the access moves, and their number.
struct Moves {
  bool in_all = true, in_any = false, by_one = false;
};

Moves moves_of(const Access& read, const Extents& sizes, std::size_t begin, std::size_t end) {
  Moves moves;
  for (std::size_t i = begin; i < end; ++i) {
    if (sizes[i] == 1) continue;
    const std::int64_t stride = (*read.strides)[i];
    moves.in_all &= stride != 0;
    moves.in_any |= stride != 0;
    moves.by_one |= stride == 1 || stride < 0;
  }
  return moves;
}

}  // namespace

Splitting splitting_of(const Extents& outer, const Extents& reduced, std::span<const Access> reads) {
  const std::int64_t stay = product(outer), go = product(reduced);
  if (stay == 1) return {ReductionHint::Inner, parts_of_inner(go, stay)};
  if (go <= kWarp || stay >= kMultiprocessors * 2 * 32) return {};
  Extents sizes = outer;
  sizes.insert(sizes.end(), reduced.begin(), reduced.end());
  // Reads that move in all dimensions decide; if there is none, those that move in reduced ones.
  int inner[2] = {}, crossing[2] = {};
  for (const Access& read : reads) {
    if (read.is_position() || !read.strides || read.strides->size() != sizes.size()) continue;
    const Moves along = moves_of(read, sizes, outer.size(), sizes.size());
    const bool is_whole = along.in_all && moves_of(read, sizes, 0, outer.size()).in_all;
    if (is_whole || along.in_any) ++(along.by_one ? inner : crossing)[is_whole ? 0 : 1];
  }
  const std::size_t kind = inner[0] + crossing[0] > 0 ? 0 : 1;
  if (inner[kind] + crossing[kind] == 0) return {};
  if (inner[kind] > crossing[kind]) return {ReductionHint::Inner, parts_of_inner(go, stay)};
  return {ReductionHint::Outer, parts_of_outer(go, stay)};
}

ReductionHint hint_of_second_step(const Splitting& splitting, std::int64_t outer_elements) {
  const bool is_tiny = (splitting.parts <= 512 && outer_elements <= 512) || (splitting.parts <= 1024 && outer_elements <= 256);
  return is_tiny && splitting.hint == ReductionHint::Outer ? ReductionHint::OuterTiny : splitting.hint;
}

Access read_in_parts(const Access& read, const Extents& outer, const Extents& reduced, std::int64_t parts) {
  if (!read.strides || read.strides->size() != outer.size() + reduced.size()) return read;
  const std::int64_t elements = product(reduced), part = parts_of(elements, parts);
  const auto middle = read.strides->begin() + static_cast<std::ptrdiff_t>(outer.size());
  const Extents along(middle, read.strides->end());
  std::optional<Extents> strides;
  if (elements % parts == 0) {
    strides = reshaped(reduced, along, Extents{parts, part});
  } else if (const auto single = reshaped(reduced, along, Extents{elements})) {
    strides = Extents{single->front() * part, single->front()};
  }
  Access split = read;
  if (!strides) {  // equal ones are at equal places
    const auto mix = [&](std::int64_t number) {
      split.place = place_after(split.place, node_id(static_cast<std::size_t>(number)));
    };
    std::ranges::for_each(*read.strides, mix);
    mix(parts);
    split.strides.reset();
    return split;
  }
  split.strides = Extents(read.strides->begin(), middle);
  split.strides->insert(split.strides->end(), strides->begin(), strides->end());
  return split;
}

}  // namespace fxcut
