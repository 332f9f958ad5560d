#include "inductor/accesses.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

namespace fxcut {
namespace {

// A position from the end if negative.
std::size_t dimension(const Node& view, std::size_t argument, std::size_t rank) {
  const auto& given = view.arguments->positional;
  const std::int64_t at = argument < given.size() ? given[argument].integer : 0;
  return static_cast<std::size_t>(at < 0 ? at + static_cast<std::int64_t>(rank) : at);
}

std::optional<Extents> permuted(const Extents& strides, const Node& view) {
  const auto rank = static_cast<std::int64_t>(strides.size());
  Extents result;
  for (const Argument& item : view.arguments->positional[1].items) {
    const std::int64_t at = item.integer < 0 ? item.integer + rank : item.integer;
    if (at < 0 || at >= rank) return std::nullopt;
    result.push_back(strides[static_cast<std::size_t>(at)]);
  }
  return result;
}

Extents expanded(const Extents& strides, const Extents& from, const Extents& to) {
  Extents result(to.size(), 0);
  const std::size_t added = to.size() - from.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    result[added + i] = from[i] == 1 && to[added + i] != 1 ? 0 : strides[i];
  }
  return result;
}

// An integer argument, or its default if it is left out.
std::int64_t integer_argument(const Node& call, std::size_t argument, std::int64_t otherwise) {
  const auto& given = call.arguments->positional;
  return argument < given.size() && given[argument].kind == Argument::Kind::Int ? given[argument].integer : otherwise;
}

// The strides through the view, and how far from the beginning it starts, in elements.
struct Viewed {
  std::optional<Extents> strides;
  std::int64_t offset = 0;
};

// A position of a dimension, from its end if negative.
std::int64_t position(std::int64_t given, std::int64_t size) {
  return std::clamp<std::int64_t>(given < 0 ? given + size : given, 0, size);
}

Viewed view_strides(Extents strides, const Node& view, const Extents& from, const Extents& to, std::uint32_t part) {
  const std::string_view packet = view.packet();
  if (packet == "aten.permute" && view.arguments->positional.size() > 1) return {permuted(strides, view)};
  if (packet == "aten.t") return {Extents(strides.rbegin(), strides.rend())};
  if (packet == "aten.expand" && to.size() >= from.size()) return {expanded(strides, from, to)};
  if (product(from) == product(to) && packet != "aten.transpose" && packet != "aten.unbind") return {reshaped(from, strides, to)};
  const std::size_t at = dimension(view, packet == "aten.split" || packet == "aten.split_with_sizes" ? 2 : 1, from.size());
  if (at >= from.size()) return {};
  if (packet == "aten.transpose") {
    const std::size_t other = dimension(view, 2, from.size());
    if (other >= from.size()) return {};
    std::swap(strides[at], strides[other]);
    return {strides};
  }
  if (packet == "aten.slice") {
    const std::int64_t step = integer_argument(view, 4, 1), start = position(integer_argument(view, 2, 0), from[at]);
    const std::int64_t offset = start * strides[at];
    strides[at] *= step;
    return {strides, offset};
  }
  // Right for equal parts; for others, at least no two parts get the same place.
  if (packet == "aten.split" || packet == "aten.split_with_sizes") return {strides, part * to[at] * strides[at]};
  if (packet != "aten.select" && packet != "aten.unbind") return {};
  const std::int64_t index = packet == "aten.select" ? position(integer_argument(view, 2, 0), from[at]) : part;
  const std::int64_t offset = index * strides[at];
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(at));
  return {strides, offset};
}

// Strides of an access, and how often an expression loads it.
struct Counted {
  const Extents* strides = nullptr;
  std::int64_t times = 1;
};

using CountedStrides = SmallList<Counted, 4>;

// pick_loop_order: by the number of accesses with shorter steps; the innermost loop is the last. A loop in which an access does
// not move does not count against the others.
LoopOrder order_of(const Extents& sizes, std::size_t begin, std::size_t end, const CountedStrides& accesses) {
  LoopOrder order;
  for (std::size_t i = end; i-- > begin;) order.push_back(i);
  const auto is_inside = [&](std::size_t a, std::size_t b) {
    if (sizes[a] == 1 || sizes[b] == 1) return sizes[a] != 1 && sizes[b] == 1;
    std::int64_t votes = 0;
    for (const auto& [strides, times] : accesses) {
      const std::int64_t of_a = std::abs((*strides)[a]), of_b = std::abs((*strides)[b]);
      votes += times * ((of_b == 0 || of_a < of_b) - (of_a == 0 || of_b < of_a));
    }
    return votes != 0 ? votes > 0 : a > b;
  };
  // By insertion: the comparison need not be transitive.
  for (std::size_t i = 1; i < order.size(); ++i) {
    for (std::size_t at = i; at > 0 && is_inside(order[at], order[at - 1]); --at) std::swap(order[at], order[at - 1]);
  }
  std::ranges::reverse(order);
  return order;
}

// The loops of `order`; adjacent ones are merged if every access walks them as one.
Extents merged_loops(const Extents& sizes, std::span<const std::size_t> order, const CountedStrides& accesses,
                     bool all_known) {
  Extents result;
  std::size_t last = 0;
  for (const std::size_t i : order) {
    if (sizes[i] == 1) continue;
    const auto is_joined = [&](const Counted& access) {
      const Extents& strides = *access.strides;
      return strides[last] == strides[i] * sizes[i];
    };
    const bool joins = !result.empty() && all_known && std::ranges::all_of(accesses, is_joined);
    if (joins) result.back() *= sizes[i];
    else result.push_back(sizes[i]);
    last = i;
  }
  return result;
}

CountedStrides known_strides(std::span<const Access> reads, std::size_t rank) {
  CountedStrides known;
  for (const Access& read : reads) {
    const std::int64_t votes = read.is_position() ? 0 : read.times;  // memory_addrs has no positions
    if (read.strides && read.strides->size() == rank) known.push_back({&*read.strides, votes});
  }
  return known;
}

// The access of prims.rev and aten.flip.
Access flipped(Access access, const Node& call, const Extents& shape) {
  const std::vector<Argument>& given = call.arguments->positional;
  if (given.size() < 2) return access;
  for (const Argument& item : given[1].items) {
    const auto at = static_cast<std::size_t>(item.integer + (item.integer < 0 ? static_cast<std::int64_t>(shape.size()) : 0));
    if (at >= shape.size()) continue;
    std::int64_t& stride = (*access.strides)[at];
    const auto step = static_cast<std::uint64_t>(stride);  // as it may be of any size
    access.place += static_cast<std::uint64_t>(shape[at] - 1) * step;
    stride = static_cast<std::int64_t>(-step);
  }
  return access;
}

// A number for the call and its arguments, except for the tensors.
std::uint64_t number_of(const Argument& argument) {
  std::uint64_t number = static_cast<std::uint64_t>(argument.integer) * 31;
  for (const Argument& item : argument.items) number = number * 1'000'003 + number_of(item) + 1;
  return number;
}

std::uint64_t number_of(const Node& view) {
  std::uint64_t number = std::hash<std::string>{}(view.callee->target);
  for (const Argument& argument : view.arguments->positional) number = number * 1'000'003 + number_of(argument);
  return number;
}

std::uint64_t mixed(std::uint64_t before, std::uint64_t number) {
  return (before ^ (number + 1)) * 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio: spreads the bits
}

// Views that keep the order of elements: an access without strides stays the same through them.
bool keeps_order(const Node& view) {
  constexpr std::string_view kPackets[] = {"aten.view", "aten.reshape", "aten.unsqueeze", "aten.squeeze", "aten.expand"};
  return std::ranges::find(kPackets, view.callee->packet) != std::end(kPackets);
}

// The elements between repetitions in the last dimension of `to`, a reshaped repeated tensor; 0 if it does not repeat.
std::int64_t period_of(const Extents& from, const Extents& strides, const Extents& to) {
  std::int64_t inner = 1;
  for (std::size_t i = from.size(); i-- > 0;) {
    if (from[i] == 1) continue;
    if (strides[i] == 0) return !to.empty() && inner > 1 && to.back() > inner && to.back() % inner == 0 ? inner : 0;
    inner *= from[i];
  }
  return 0;
}

// The elements of the loops, without outer or inner ones in which the access does not move.
std::int64_t moving_elements(std::span<const std::int64_t> loops, std::int64_t outer_unmoved, std::int64_t inner_unmoved) {
  const auto strip = [](std::int64_t& unmoved, std::int64_t size) {
    if (size == 0 || unmoved % size != 0) return false;
    unmoved /= size;
    return true;
  };
  while (!loops.empty() && strip(inner_unmoved, loops.back())) loops = loops.first(loops.size() - 1);
  while (!loops.empty() && strip(outer_unmoved, loops.front())) loops = loops.subspan(1);
  return product(loops);
}

// How many elements of a tensor are read in the loops `to`, by MemoryDep.get_numel: the product of the loops that its index
// depends on. `to` has as many elements as `from`; loops of both with equal numbers of elements correspond.
std::int64_t elements_in_moving_loops(const Extents& from, const Extents& strides, const Extents& to) {
  std::int64_t elements = 1;
  for (std::size_t i = from.size(), j = to.size(); i > 0 && j > 0;) {
    const std::size_t from_end = i, to_end = j;
    std::int64_t of_from = from[--i], of_to = to[--j];
    while (of_from != of_to && (of_from < of_to ? i : j) > 0) of_from < of_to ? of_from *= from[--i] : of_to *= to[--j];
    std::int64_t inner = 1, outer = 1;
    std::size_t begin = i, end = from_end;
    for (; end > begin && (strides[end - 1] == 0 || from[end - 1] == 1); --end) inner *= from[end - 1];
    for (; begin < end && (strides[begin] == 0 || from[begin] == 1); ++begin) outer *= from[begin];
    elements *= begin == end ? 1 : moving_elements(std::span<const std::int64_t>(to).subspan(j, to_end - j), outer, inner);
  }
  return elements;
}

// The steps from a tensor's first element to the second along each dimension of `to`, a reshaped `from`
// (SizeVarAllocator.stride_hints).
Extents reshaped_steps(const Extents& from, const Extents& strides, const Extents& to) {
  Extents steps(to.size(), 0);
  std::int64_t inner = 1;
  for (std::size_t j = to.size(); j-- > 0; inner *= to[j]) {
    std::int64_t left = to[j] > 1 ? inner : 0;
    for (std::size_t i = from.size(); i-- > 0 && left > 0; left /= std::max<std::int64_t>(from[i], 1)) {
      if (from[i] > 1) steps[j] += left % from[i] * strides[i];
    }
  }
  return steps;
}

// An access with strides for `from` that has none for `to`, of as many elements.
Access without_strides(const Access& access, std::uint64_t place, const Extents& from, const Extents& to) {
  return {.buffer = access.buffer, .place = place, .period = period_of(from, *access.strides, to),
          .steps = reshaped_steps(from, *access.strides, to), .taken = elements_in_moving_loops(from, *access.strides, to),
          .times = access.times};
}

// The steps through a view of an access without strides.
std::optional<Extents> steps_through(const Extents& steps, const Node& view, const Extents& from, const Extents& to,
                                     std::uint32_t part) {
  if (steps.size() != from.size()) return {};
  const std::optional<Extents> seen = view_strides(steps, view, from, to, part).strides;
  if (seen && seen->size() == to.size()) return seen;
  return product(from) == product(to) ? std::optional(reshaped_steps(from, steps, to)) : std::nullopt;
}

}  // namespace

Extents strides_as_read(const Extents& shape, std::span<const Access> reads) {
  CountedStrides known = known_strides(reads, shape.size());
  for (Counted& each : known) each.times = 1;  // as ComputedBuffer.get_fill_order goes through a set
  const LoopOrder order = order_of(shape, 0, shape.size(), known);
  Extents strides(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= std::max<std::int64_t>(shape[order[i]], 1);
  }
  return strides;
}

std::uint64_t place_after(std::uint64_t before, NodeId reader) { return mixed(before, index_of(reader)); }

Access elsewhere(const Access& access, NodeId reader) {
  return {.buffer = access.buffer, .place = place_after(access.place, reader), .times = access.times};
}

Access indirect(const Access& access, NodeId id, const Node& call, const Extents& from, const Extents& to) {
  const bool has_strides = access.strides && access.strides->size() == from.size();
  const std::string_view packet = call.packet();
  if (has_strides && (packet == "prims.rev" || packet == "aten.flip")) return flipped(access, call, from);
  std::int64_t taken = 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!has_strides || from.size() != to.size() || (*access.strides)[i] != 0) taken *= to[i];
  }
  Access read = elsewhere(access, id);
  read.taken = taken;
  return read;
}

Access through_view(const Access& access, const Node& view, std::uint32_t part, const Extents& from, const Extents& to) {
  const auto unlike = [&] { return mixed(access.place, number_of(view)) + part; };
  if (!access.strides || access.strides->size() != from.size()) {
    if (begins_anew(access, view, from)) return access;
    const bool keeps_last = keeps_order(view) && !from.empty() && !to.empty() && from.back() == to.back();
    Access seen{.buffer = access.buffer, .place = keeps_order(view) ? access.place : unlike(),
                .period = keeps_last ? access.period : 0, .times = access.times};
    if (keeps_order(view)) seen.gathered = access.gathered;
    if (access.taken) seen.taken = std::min(*access.taken, product(to));
    if (access.steps) seen.steps = steps_through(*access.steps, view, from, to, part);
    return seen;
  }
  Viewed viewed = view_strides(*access.strides, view, from, to, part);
  if (!viewed.strides || viewed.strides->size() != to.size()) {
    if (product(from) == product(to)) return without_strides(access, unlike(), from, to);
    return {.buffer = access.buffer, .place = unlike(), .taken = product(to), .times = access.times};
  }
  return {.buffer = access.buffer, .strides = std::move(viewed.strides),
          .place = access.place + static_cast<std::uint64_t>(viewed.offset), .times = access.times};
}

Access reindexed(const Access& access, const Extents& from, const Extents& to) {
  const auto number_after = [&](std::uint64_t number) {
    for (const std::int64_t size : to) number = mixed(number, static_cast<std::uint64_t>(size));
    return number;
  };
  if (!access.strides || access.strides->size() != from.size()) {
    Access again = access;
    again.place = number_after(access.place);
    again.gathered.reset();
    again.period = 0;
    if (access.steps && access.steps->size() == from.size()) again.steps = reshaped_steps(from, *access.steps, to);
    return again;
  }
  Access again = access;
  again.strides = reshaped(from, *access.strides, to);
  if (again.strides) return again;
  std::uint64_t number = access.place;
  for (std::size_t i = 0; i < from.size(); ++i) {
    number = mixed(mixed(number, static_cast<std::uint64_t>(from[i])), static_cast<std::uint64_t>((*access.strides)[i]));
  }
  return without_strides(access, number_after(number), from, to);
}

bool begins_anew(const Access& access, const Node& slice, const Extents& shape) {
  const bool scatters = slice.packet() == "aten.slice_scatter";
  if (access.period == 0 || shape.empty() || (!scatters && slice.packet() != "aten.slice")) return false;
  const std::size_t argument = scatters ? 2 : 1;
  const std::int64_t start = position(integer_argument(slice, argument + 1, 0), shape.back());
  return dimension(slice, argument, shape.size()) + 1 == shape.size() && integer_argument(slice, argument + 3, 1) == 1 &&
         start % access.period == 0;
}

void broadcast(Access& access, NodeId reader, const Extents& from, const Extents& to) {
  if (!access.strides) {
    const bool fits = access.steps && access.steps->size() == from.size() && from.size() <= to.size();
    access.steps = fits ? std::optional(expanded(*access.steps, from, to)) : std::nullopt;
  } else if (access.strides->size() != from.size() || from.size() > to.size()) {
    access = elsewhere(access, reader);
  } else if (from != to) {
    access.strides = expanded(*access.strides, from, to);
  }
}

Loops loops_of(const Extents& outer, const Extents& reduced, std::span<const Access> reads, const Extents& result_strides) {
  Loops loops;
  loops.sizes = outer;
  loops.sizes.insert(loops.sizes.end(), reduced.begin(), reduced.end());
  const std::size_t rank = loops.sizes.size();
  loops.written = result_strides;
  loops.written.resize(rank, 0);
  CountedStrides known = known_strides(reads, rank);
  const bool all_known = known.size() == reads.size();
  known.insert(known.begin(), {&loops.written, 1});
  loops.order = order_of(loops.sizes, 0, outer.size(), known);
  loops.outer = merged_loops(loops.sizes, loops.order, known, all_known);
  const LoopOrder inner = order_of(loops.sizes, outer.size(), rank, known);
  loops.reduced = merged_loops(loops.sizes, inner, known, all_known);
  loops.order.insert(loops.order.end(), inner.begin(), inner.end());
  return loops;
}

std::optional<std::int64_t> innermost_stride(const Extents& strides, const Loops& loops) {
  if (strides.size() != loops.sizes.size()) return {};
  for (std::size_t i = loops.order.size(); i-- > 0;) {
    if (loops.sizes[loops.order[i]] != 1) return strides[loops.order[i]];
  }
  return {};
}

}  // namespace fxcut
