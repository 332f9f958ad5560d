#include "inductor/scatters.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "inductor/indices.h"
#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

bool puts(const Node& call) {
  return call.packet() == "aten.index_put" || call.packet() == "aten._unsafe_index_put";
}

bool puts_masked(const Node& call) { return call.packet() == "aten._unsafe_masked_index_put_accumulate"; }

bool has_dtype(const Graph& graph, NodeId id, std::initializer_list<std::string_view> names) {
  return graph[id].has_tensor() && std::ranges::find(names, graph[id].value->tensor.dtype->name) != names.end();
}

bool is_mask(const Graph& graph, NodeId id) { return has_dtype(graph, id, {"bool", "uint8"}); }

// use_scatter_fallback: for sums, it depends on the device; for other reductions, always.
bool reduces_by_library(const Graph& graph, const Node& call, const InductorRules& rules) {
  if (call.packet() == "aten.scatter") return false;
  const auto& arguments = call.arguments->positional;
  const bool sums = call.packet() == "aten.scatter_add" || (arguments.size() > 4 && arguments[4].text == "sum");
  return !sums || rules.sums_by_library || has_dtype(graph, call.inputs.front(), {"int64", "bool"});
}

// index_put_impl_.
bool puts_by_library(const Graph& graph, const Node& call) {
  const auto& arguments = call.arguments->positional;
  const bool adds = puts_masked(call) || (arguments.size() > 3 && arguments[3].integer != 0);
  if (adds && has_dtype(graph, call.inputs.front(), {"int64", "bool"})) return true;
  return puts(call) && std::ranges::any_of(indices_of(call), [&](const auto& index) { return index && is_mask(graph, *index); });
}

bool calls_library(const Graph& graph, const Node& call, const InductorRules& rules) {
  return puts(call) || puts_masked(call) ? puts_by_library(graph, call) : reduces_by_library(graph, call, rules);
}

// The reads of a kernel, its loops, and the strides of its write: 0 in indexed dimensions.
struct Scattered {
  Extents shape;
  std::vector<Access> reads = {};
  Extents written = {};
};

Extents strides_of_target(const Graph& graph, const Node& call) {
  return contiguous_strides(hints_of(graph[call.inputs.front()].value->tensor.shape));
}

void read(Scattered& into, const LoweredValues& values, NodeId call, NodeId input, const Extents& to, std::size_t at) {
  for (const LoweredValue& held : values.of(input)) {
    for (const Access& access : values.loads(held)) {
      into.reads.push_back(access_of_index(access, call, hints_of(held.tensor->shape), {into.shape, to, at}));
    }
  }
}

Scattered put(const LoweredValues& values, const Graph& graph, NodeId id) {
  const Node& call = graph[id];
  const Indexed loops = indexed(graph, call);
  Scattered result{loops.shape};
  const std::vector<std::optional<NodeId>> indices = indices_of(call);
  for (const std::optional<NodeId>& index : indices) {
    if (index) read(result, values, id, *index, loops.of_indices, loops.at);
  }
  const Extents target = strides_of_target(graph, call);
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (i >= indices.size() || !indices[i]) result.written.push_back(target[i]);
  }
  result.written.insert(result.written.begin() + static_cast<std::ptrdiff_t>(loops.at), loops.of_indices.size(), 0);
  const std::vector<Argument>& arguments = call.arguments->positional;
  for (const std::size_t position : puts_masked(call) ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{2}) {
    const Argument& given = arguments[position];
    if (given.kind == Argument::Kind::Node) read(result, values, id, call.inputs[given.index], loops.shape, 0);
  }
  return result;
}

// Loops over the shape of the index; only that part of the source is read.
Scattered scattered(const LoweredValues& values, const Graph& graph, NodeId id) {
  const std::vector<NodeId>& inputs = graph[id].inputs;
  Scattered result{hints_of(graph[inputs[1]].value->tensor.shape)};
  result.written = strides_of_target(graph, graph[id]);
  result.written.resize(result.shape.size());
  const std::int64_t along = graph[id].arguments->positional[1].integer, rank = static_cast<std::int64_t>(result.written.size());
  const std::int64_t at = along < 0 ? along + rank : along;
  if (at >= 0 && at < rank) result.written[static_cast<std::size_t>(at)] = 0;
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const Extents shape = hints_of(graph[inputs[i]].value->tensor.shape);
    read(result, values, id, inputs[i], shape.size() == result.shape.size() ? shape : result.shape, 0);
  }
  return result;
}

// Reinplacing: only values that no other node reads are overwritten.
bool is_overwritten(const LoweredValues& values, const Graph& graph, NodeId id) {
  const NodeId target = graph[id].inputs.front();
  return puts(graph[id]) && graph[target].is_call() && lowering_of(graph[target]) != Lowering::View &&
         values.users().of(target).size() == 1 && values.of(target).size() == 1;
}

BufferId target_of(LoweredValues& values, const Graph& graph, NodeId id, const Tensor& result) {
  const LoweredValue target = values.of(graph[id].inputs.front()).front();
  if (is_overwritten(values, graph, id)) return values.store(target);
  Inlined copy{.node = id, .tensor = &result};
  copy.compute(1);
  for (Access& access : values.loads(target)) copy.read(std::move(access));
  return values.store(values.express(std::move(copy)));
}

}  // namespace

bool is_scatter(const Graph& graph, const Node& call) {
  constexpr std::string_view kScatters[] = {"aten.scatter", "aten.scatter_add", "aten.scatter_reduce"};
  const bool has_tensors = std::ranges::all_of(call.inputs, [&](NodeId input) { return graph[input].has_tensor(); });
  if (call.inputs.size() < 2 || !has_tensors) return false;
  if (puts(call) || puts_masked(call)) {
    const std::vector<Argument>& given = call.arguments->positional;
    return given.size() >= (puts_masked(call) ? 4u : 3u) && given.front().kind == Argument::Kind::Node;
  }
  return std::ranges::find(kScatters, call.callee->packet) != std::end(kScatters);
}

bool fills_where(const Graph& graph, const Node& call) {
  if (!puts(call)) return false;
  const std::vector<std::optional<NodeId>> indices = indices_of(call);
  const Argument& written = call.arguments->positional[2];
  if (indices.size() != 1 || !indices[0] || !is_mask(graph, *indices[0]) || written.kind != Argument::Kind::Node) return false;
  return product(hints_of(graph[call.inputs[written.index]].value->tensor.shape)) == 1;
}

void scatter(LoweredValues& values, const Graph& graph, NodeId id, const Tensor& result, const InductorRules& rules) {
  const Node& call = graph[id];
  const BufferId target = target_of(values, graph, id, result);
  Kernel kernel{.node = id, .changes = {target}, .scatters = true};
  if (calls_library(graph, call, rules)) {
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
      for (const LoweredValue& input : values.of(call.inputs[i])) {
        kernel.reads.push_back({values.store_for_call(id, input), {}, 0});
      }
    }
    for (const Access& each : kernel.reads) values.fix_layout(each.buffer);
  } else {
    Scattered loops = puts(call) || puts_masked(call) ? put(values, graph, id) : scattered(values, graph, id);
    kernel.reads = std::move(loops.reads);
    kernel.loops = loops_of(loops.shape, {}, kernel.reads, loops.written);
  }
  const BufferId changed = values.add_changed_buffer(id, target);
  kernel.writes.push_back(changed);
  values.add_kernel(std::move(kernel));
  values.hold(id, changed, values.contiguous(result));
}

}  // namespace fxcut
