#include "inductor/max_pooling.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace fxcut {
namespace {

// The index of the maximum takes 47 operators for a window of this size and 122 for one of nine; realize_cpu_opcount_threshold
// is 50.
constexpr std::int64_t kFewElements = 4;
constexpr std::int64_t kMaxWindowElements = 25;  // should_fallback_max_pool_with_indices

constexpr std::size_t kWindow = 1, kStep = 2, kPadding = 3, kDilation = 4, kCeil = 5;  // positions of arguments

// One for each pooled dimension, or one for all; `otherwise` if it is left out.
std::int64_t argument(const Node& call, std::size_t position, std::size_t dimension, std::int64_t otherwise) {
  const std::vector<Argument>& given = call.arguments->positional;
  if (position >= given.size()) return otherwise;
  const std::vector<Argument>& items = given[position].items;
  return items.empty() ? otherwise : items[std::min(dimension, items.size() - 1)].integer;
}

// nullopt if the window has no known number of elements, or more than an expression may have.
std::optional<std::int64_t> elements_of_window(const Node& call) {
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < call.arguments->positional[kWindow].items.size(); ++i) {
    const std::int64_t window = argument(call, kWindow, i, 1);
    if (window < 1 || window > kMaxWindowElements) return std::nullopt;
    elements *= window;
    if (elements > kMaxWindowElements) return std::nullopt;
  }
  return elements;
}

// Wraps around without harm: a place is only compared with others.
std::int64_t times(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// The same element of each window, `at` strides away.
Access moved(Access read, std::int64_t at, std::int64_t stride) {
  read.place += static_cast<std::uint64_t>(times(at, stride));
  return read;
}

// The windows' elements, for an input at `access` over its shape.
std::vector<Access> elements(const Access& access, const Node& call, NodeId id) {
  const std::size_t pooled = call.arguments->positional[kWindow].items.size();
  const bool known = access.strides && access.strides->size() >= pooled;
  Access first = known ? access : elsewhere(access, id);
  std::vector<Access> reads{first};
  for (std::size_t i = 0; i < pooled; ++i) {
    const std::size_t dimension = known ? access.strides->size() - pooled + i : 0;
    const std::int64_t stride = known ? (*access.strides)[dimension] : 1 + static_cast<std::int64_t>(i) * 1'000'003;
    const std::int64_t window = argument(call, kWindow, i, 1), step = argument(call, kStep, i, window);
    const std::size_t before = reads.size();
    for (std::size_t each = 0; each < before; ++each) {
      if (known) (*reads[each].strides)[dimension] = times(stride, step);
      reads[each] = moved(std::move(reads[each]), times(-1, argument(call, kPadding, i, 0)), stride);
    }
    for (std::int64_t at = 1; at < window; ++at) {
      for (std::size_t each = 0; each < before; ++each) {
        reads.push_back(moved(reads[each], times(at, argument(call, kDilation, i, 1)), stride));
      }
    }
  }
  return reads;
}

}  // namespace

bool is_max_pooling(const Node& call) {
  return call.packet() == "prims._low_memory_max_pool_with_offsets" && call.arguments->positional.size() > kWindow &&
         elements_of_window(call);
}

std::vector<Access> reads_of_windows(LoweredValues& values, const Graph& graph, NodeId id) {
  const LoweredValue input = values.inputs_of(graph[id]).front();
  if (!values.buffer_of(input) && values.expression_of(input).moving_reads() > 1) values.store(input);  // realize_hint
  std::vector<Access> reads;
  for (const Access& access : values.loads(input)) {
    const std::vector<Access> all = elements(access, graph[id], id);
    reads.insert(reads.end(), all.begin(), all.end());
  }
  return reads;
}

bool is_stored_of_windows(const Node& call, std::size_t item) {
  const std::vector<Argument>& given = call.arguments->positional;
  if (item == 1 && elements_of_window(call) > kFewElements) return true;
  const auto any = [&](std::size_t position, std::int64_t above) {
    return position < given.size() &&
           std::ranges::any_of(given[position].items, [&](const Argument& each) { return each.integer > above; });
  };
  return any(kPadding, 0) || any(kDilation, 1) || (kCeil < given.size() && given[kCeil].integer != 0);
}

}  // namespace fxcut
