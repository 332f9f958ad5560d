#include "inductor/reductions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inductor/split_reductions.h"

namespace fxcut {
namespace {

// torch._inductor.config.unroll_reductions_threshold: a reduction of fewer elements is an expression.
constexpr std::int64_t kMinLoopedElements = 8;

// Positions of kept and of reduced dimensions.
struct Dimensions {
  std::vector<std::size_t> outer, reduced;
};

Dimensions split_dimensions(const Node& node, const Extents& shape) {
  std::vector<bool> is_reduced(shape.size(), false);
  bool given = false;
  const auto& arguments = node.arguments->positional;
  const auto mark = [&](const Argument& position) {
    if (position.kind != Argument::Kind::Int) return;
    const std::int64_t at = position.integer + (position.integer < 0 ? static_cast<std::int64_t>(shape.size()) : 0);
    if (at >= 0 && at < static_cast<std::int64_t>(shape.size())) is_reduced[static_cast<std::size_t>(at)] = given = true;
  };
  if (arguments.size() > 1) {
    mark(arguments[1]);
    for (const Argument& item : arguments[1].items) mark(item);
  }
  Dimensions split;
  for (std::size_t i = 0; i < shape.size(); ++i) (!given || is_reduced[i] ? split.reduced : split.outer).push_back(i);
  return split;
}

Extents pick(const Extents& of, const std::vector<std::size_t>& positions) {
  Extents picked;
  for (const std::size_t position : positions) picked.push_back(of[position]);
  return picked;
}

// The access with the reduced dimensions last.
Access reordered(const Access& access, NodeId call, const Extents& shape, const Dimensions& dimensions) {
  if (!access.strides) return access;
  if (access.strides->size() != shape.size()) return elsewhere(access, call);
  Extents strides = pick(*access.strides, dimensions.outer);
  const Extents inner = pick(*access.strides, dimensions.reduced);
  strides.insert(strides.end(), inner.begin(), inner.end());
  Access read = access;
  read.strides = std::move(strides);
  return read;
}

// The reads of each reduced element, over the kept dimensions, or over `rank` dimensions if reduced ones stay with size 1.
std::vector<Access> read_by_element(const Access& access, NodeId call, const Extents& shape, const Dimensions& dimensions,
                                    std::size_t rank) {
  const bool known = access.strides && access.strides->size() == shape.size();
  std::optional<Extents> strides;
  if (known && rank == shape.size()) {
    strides = access.strides;
    for (const std::size_t i : dimensions.reduced) (*strides)[i] = 0;
  } else if (known) {
    strides = pick(*access.strides, dimensions.outer);
  }
  std::vector<Access> reads{known ? access : elsewhere(access, call)};
  reads.front().strides = std::move(strides);
  for (const std::size_t i : dimensions.reduced) {
    const std::size_t before = reads.size();
    for (std::int64_t at = 1; at < shape[i]; ++at) {
      for (std::size_t each = 0; each < before; ++each) {
        Access next = reads[each];
        next.place += static_cast<std::uint64_t>(at * (known ? (*access.strides)[i] : 1));
        reads.push_back(std::move(next));
      }
    }
  }
  return reads;
}

// The loops over kept and reduced dimensions, and the input's reads in them.
struct Reduction {
  NodeId call{0};
  Extents outer, reduced;
  std::vector<Access> reads;
  bool adds = false;  // or multiplies

  Reduction(const LoweredValues& values, NodeId id, const LoweredValue& input, const Dimensions& dimensions) : call(id) {
    const Extents shape = hints_of(input.tensor->shape);
    outer = pick(shape, dimensions.outer);
    reduced = pick(shape, dimensions.reduced);
    for (const Access& access : values.loads(input)) reads.push_back(reordered(access, id, shape, dimensions));
  }
};

BufferId add_kernel(LoweredValues& values, const Reduction& reduction, const Tensor& result, Loops loops) {
  const BufferId buffer = values.add_flexible_buffer(reduction.call, result);
  values.add_kernel({reduction.call, reduction.reads, {buffer}, {}, std::move(loops)});
  return buffer;
}

BufferId add_kernel(LoweredValues& values, const Reduction& reduction, const Tensor& result, ReductionHint hint) {
  Loops loops = loops_of(reduction.outer, reduction.reduced, reduction.reads, contiguous_strides(reduction.outer));
  loops.hint = hint;
  loops.adds = reduction.adds;
  return add_kernel(values, reduction, result, std::move(loops));
}

// The strides of the first of two steps' results: in the order of its reads, without reduced dimensions
// (ComputedBuffer.get_fill_order).
Extents strides_of_parts(const Reduction& first) {
  std::vector<Access> reads;
  for (const Access& read : first.reads) {
    if (!read.strides || read.strides->size() != first.outer.size() + first.reduced.size()) continue;
    reads.push_back(read);
    reads.back().strides->resize(first.outer.size());
  }
  return strides_as_read(first.outer, reads);
}

// float32 for narrower floating-point types (get_computation_dtype).
const Dtype* computed_in(const Tensor& tensor) {
  const bool is_narrow = tensor.dtype->name == "bfloat16" || tensor.dtype->name == "float16";
  return is_narrow ? find_dtype("float32") : tensor.dtype;
}

// Contiguous, in the computation dtype: parts are not rounded.
const Tensor& partial(LoweredValues& values, const Tensor& result, const Extents& shape) {
  std::vector<Size> sizes;
  for (const std::int64_t size : shape) sizes.push_back({size, nullptr});
  Tensor tensor = result;
  tensor.shape = Sizes(std::move(sizes));
  tensor.dtype = computed_in(result);
  return values.contiguous(tensor);
}

// One pass that makes several results from its reads, each written as a kernel of its own. The weight, the last of three, is read
// only by a second step: without one it has a name but no kernel (Scheduler.dead_node_elimination).
std::vector<BufferId> add_pass(LoweredValues& values, const Reduction& reduction, const Tensor& result, std::size_t count,
                               ReductionHint hint) {
  std::vector<BufferId> results;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_read = i < 2;
    results.push_back(is_read ? add_kernel(values, reduction, result, hint)
                              : values.add_flexible_buffer(reduction.call, result));
  }
  return results;
}

// The kernels of one pass, preceded by those of its first step if it takes two (Reduction.create_multilayer).
std::vector<BufferId> add_kernels(LoweredValues& values, const Reduction& reduction, const Tensor& result, std::size_t count,
                                  const InductorRules& rules) {
  const Splitting splitting =
      rules.splits_reductions ? splitting_of(reduction.outer, reduction.reduced, reduction.reads) : Splitting{};
  if (splitting.parts == 1) return add_pass(values, reduction, result, count, splitting.hint);
  Reduction first = reduction, second = reduction;
  const std::int64_t elements = product(reduction.reduced);
  first.outer.push_back(splitting.parts);
  first.reduced = {parts_of(elements, splitting.parts)};
  for (Access& read : first.reads) read = read_in_parts(read, reduction.outer, reduction.reduced, splitting.parts);
  const Tensor& of_parts = partial(values, result, first.outer);
  const Extents strides = strides_of_parts(first);
  second.reduced = {splitting.parts};
  second.reads.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Loops loops = loops_of(first.outer, first.reduced, first.reads, strides);
    loops.hint = splitting.hint;
    loops.adds = reduction.adds;
    if (count == 1) loops.whole = ReducedElements{product(reduction.outer), elements};
    second.reads.push_back({add_kernel(values, first, of_parts, std::move(loops)), strides, 0});
  }
  return add_pass(values, second, result, count, hint_of_second_step(splitting, product(reduction.outer)));
}

// The elementwise expression of the reduced `buffer`, computed in the kernels that read it, without its divisor.
Inlined quotient_of(NodeId call, BufferId buffer, const Tensor& result) {
  Inlined expression{.node = call, .tensor = &result};
  expression.compute(1);
  expression.read({buffer, contiguous_strides(hints_of(result.shape)), 0});
  return expression;
}

LoweredValue quotient(LoweredValues& values, NodeId call, BufferId buffer, const Tensor& result, std::int64_t divisor) {
  Inlined expression = quotient_of(call, buffer, result);
  expression.compute(OnNumber::Index, divisor);
  return values.express(std::move(expression));
}

// Divides by max(0, elements - correction), operators on numbers like any others (var_mean_welford_).
LoweredValue quotient_in_one_pass(LoweredValues& values, const Reduction& reduction, BufferId squares, const Tensor& result,
                                  std::int64_t correction) {
  const std::int64_t elements = product(reduction.reduced);
  Inlined expression = quotient_of(reduction.call, squares, result);
  for (const std::int64_t each : {std::int64_t{0}, elements, correction}) {
    expression.constants.insert({.value = static_cast<double>(each), .dtype = computed_in(result)});
  }
  expression.compute(OnNumber::Difference, elements - correction);
  expression.compute(OnNumber::Larger, elements - correction);
  return values.express(std::move(expression));
}

// The number to subtract from the number of elements to get the divisor of the squares.
std::int64_t correction_of(const Node& variance) {
  const Argument* const given = variance.arguments->find("correction");
  if (given && given->kind == Argument::Kind::Int) return given->integer;
  constexpr double kMaxCorrection = 1e9;  // larger than any real one; keeps the conversion defined
  const bool is_real = given && given->kind == Argument::Kind::Float && std::abs(given->real) <= kMaxCorrection;
  return is_real ? static_cast<std::int64_t>(given->real) : 1;
}

// Stores the mean of a sum in a buffer.
BufferId store_mean(LoweredValues& values, const Reduction& reduction, BufferId sum, const Tensor& result) {
  const Extents strides = contiguous_strides(reduction.outer);
  const std::vector<Access> reads{{sum, strides, 0}};
  const BufferId mean = values.add_flexible_buffer(reduction.call, result);
  values.add_kernel({reduction.call, reads, {mean}, {}, loops_of(reduction.outer, {}, reads, strides)});
  return mean;
}

// In one pass (WelfordReduction.create): the mean, the sum of squares, and a weight, which is not read in the end.
struct Variance {
  BufferId squares = 0;
  std::optional<BufferId> mean;
};

Variance vary_in_one_pass(LoweredValues& values, const Reduction& reduction, const Tensor& result, bool has_mean,
                          const InductorRules& rules) {
  if (rules.splits_reductions) {
    const std::vector<BufferId> made = add_kernels(values, reduction, result, 3, rules);
    return {made[1], made[0]};
  }
  Variance variance{add_kernel(values, reduction, result, ReductionHint::Default), {}};
  if (has_mean) variance.mean = add_kernel(values, reduction, result, ReductionHint::Default);
  return variance;
}

// var_mean_helper_: first the mean, then the squared deviations from it, each in a kernel; or, for many elements, both in one
// pass, written as a kernel for each. `results`: the variance, and the mean if it is wanted.
LoweredTensors vary(LoweredValues& values, Reduction reduction, std::span<const Tensor* const> results,
                               std::int64_t correction, const InductorRules& rules) {
  const Tensor& of_mean = results.size() > 1 && results[1] ? *results[1] : *results[0];
  Variance variance;
  LoweredTensors held;
  if (product(reduction.reduced) <= rules.max_two_step_elements && product(reduction.outer) != 1) {
    const BufferId sum = add_kernels(values, reduction, of_mean, 1, rules).front();
    variance.mean = results.size() > 1 ? store_mean(values, reduction, sum, of_mean) : sum;
    Extents strides = contiguous_strides(reduction.outer);
    strides.resize(reduction.outer.size() + reduction.reduced.size(), 0);
    reduction.reads.push_back({*variance.mean, std::move(strides), 0});
    variance.squares = add_kernels(values, reduction, *results[0], 1, rules).front();
    const std::int64_t divisor = std::max<std::int64_t>(product(reduction.reduced) - correction, 0);
    held.push_back(quotient(values, reduction.call, variance.squares, *results[0], divisor));
  } else {
    variance = vary_in_one_pass(values, reduction, *results[0], results.size() > 1, rules);
    held.push_back(quotient_in_one_pass(values, reduction, variance.squares, *results[0], correction));
  }
  if (results.size() > 1) held.push_back({variance.mean, 0, results[1], reduction.call});
  return held;
}

// Reduction.create.
bool is_unrolled(const Reduction& reduction, const InductorRules& rules) {
  const std::int64_t reduced = product(reduction.reduced);
  return reduced <= 1 || (reduced < kMinLoopedElements && (rules.unrolls_to_one || product(reduction.outer) != 1));
}

}  // namespace

Reduced reduce(LoweredValues& values, const Graph& graph, NodeId id, std::span<const Tensor* const> tensors,
               const InductorRules& rules) {
  const LoweredTensors inputs = values.inputs_of(graph[id]);
  if (inputs.empty() || !tensors.front()) return Reduced::NoTensor;
  const Dimensions dimensions = split_dimensions(graph[id], hints_of(inputs.front().tensor->shape));
  Reduction reduction(values, id, inputs.front(), dimensions);
  if (is_unrolled(reduction, rules) && tensors.size() == 1) return Reduced::Unrolled;
  const std::string_view packet = graph[id].packet();
  if (packet == "aten.var_mean" || packet == "aten.var") {
    values.hold(id, vary(values, reduction, tensors, correction_of(graph[id]), rules));
    return Reduced::Stored;
  }
  reduction.adds = packet == "aten.sum" || packet == "aten.mean" || packet == "aten.prod";
  LoweredTensors results;
  for (const Tensor* tensor : tensors) {
    if (!tensor) continue;
    const BufferId buffer = add_kernels(values, reduction, *tensor, 1, rules).front();
    results.push_back(packet == "aten.mean" ? quotient(values, id, buffer, *tensor, product(reduction.reduced))
                                            : LoweredValue{buffer, 0, tensor, id});
  }
  values.hold(id, std::move(results));
  return Reduced::Stored;
}

std::vector<Access> unrolled_reads(const LoweredValues& values, const Graph& graph, NodeId id, const Tensor& result) {
  const LoweredValue input = values.inputs_of(graph[id]).front();
  const Extents shape = hints_of(input.tensor->shape);
  const Dimensions dimensions = split_dimensions(graph[id], shape);
  std::vector<Access> reads;
  for (const Access& access : values.loads(input)) {
    for (Access& each : read_by_element(access, id, shape, dimensions, result.shape.size())) reads.push_back(std::move(each));
  }
  return reads;
}

}  // namespace fxcut
