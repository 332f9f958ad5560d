#include "inductor/indices.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace fxcut {
namespace {

void broadcast_to(Extents& shape, const Extents& other) {
  if (other.size() > shape.size()) shape.insert(shape.begin(), other.size() - shape.size(), 1);
  for (std::size_t i = 1; i <= other.size(); ++i) {
    std::int64_t& size = shape[shape.size() - i];
    if (size == 1) size = other[other.size() - i];
  }
}

bool has_list(const Node& call) { return call.packet() == "aten.index" || call.packet() == "aten._unsafe_index"; }

// The dimension that a call's only index selects from.
std::optional<std::size_t> only_index(const Node& call) {
  if (call.inputs.size() != 2 || call.packet() == "aten.gather") return {};
  if (!has_list(call)) return 0;
  const std::vector<std::optional<NodeId>> indices = indices_of(call);
  const auto is_given = [](const std::optional<NodeId>& index) { return index.has_value(); };
  if (std::ranges::count_if(indices, is_given) != 1) return {};
  return static_cast<std::size_t>(std::ranges::find_if(indices, is_given) - indices.begin());
}

// One row per loop whose position the index is computed from; a loaded index counts as 0
// (SizeVarAllocator.stride_hints).
std::optional<Extents> steps_at(const Extents& strides, std::size_t dimension, const std::vector<Access>& index,
                                const Indexed& loops) {
  const std::size_t count = loops.of_indices.size();
  if (loops.shape.size() + 1 != strides.size() + count) return {};
  Extents steps = strides;
  const auto at = steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(dimension));
  Extents of_index(count, 0);
  for (const Access& each : index) {
    if (!each.is_position() || !each.strides || each.strides->size() != count) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if ((*each.strides)[i] != 0) of_index[i] = strides[dimension];
    }
  }
  steps.insert(at, of_index.begin(), of_index.end());
  return steps;
}

}  // namespace

std::vector<std::optional<NodeId>> indices_of(const Node& call) {
  constexpr std::string_view kAfterAMask = "aten._unsafe_masked_index_put_accumulate";
  const std::size_t position = call.callee->packet == kAfterAMask ? 2 : 1;
  std::vector<std::optional<NodeId>> indices;
  for (const Argument& item : call.arguments->positional[position].items) {
    indices.push_back(item.kind == Argument::Kind::Node ? std::optional(call.inputs[item.index]) : std::nullopt);
  }
  return indices;
}

Indexed indexed(const Graph& graph, const Node& call) {
  const std::vector<std::optional<NodeId>> indices = indices_of(call);
  const Extents target = hints_of(graph[call.inputs.front()].value->tensor.shape);
  Indexed result;
  std::size_t first = indices.size(), end = 0, count = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (i >= indices.size() || !indices[i]) {
      result.shape.push_back(target[i]);
      continue;
    }
    broadcast_to(result.of_indices, hints_of(graph[*indices[i]].value->tensor.shape));
    first = std::min(first, i);
    end = i + 1;
    ++count;
  }
  result.at = end - first == count ? first : 0;
  result.shape.insert(result.shape.begin() + static_cast<std::ptrdiff_t>(result.at), result.of_indices.begin(),
                      result.of_indices.end());
  return result;
}

Access access_of_index(const Access& index, NodeId call, const Extents& from, const Indexed& loops) {
  Access access = index;
  broadcast(access, call, from, loops.of_indices);
  if (!access.strides) return access;
  access.strides->insert(access.strides->begin(), loops.at, 0);
  access.strides->resize(loops.shape.size(), 0);
  return access;
}

bool is_gather(const Graph& graph, const Node& call) {
  const bool has_tensors = std::ranges::all_of(call.inputs, [&](NodeId input) { return graph[input].has_tensor(); });
  if (call.inputs.size() < 2 || !has_tensors) return false;
  const std::vector<Argument>& given = call.arguments->positional;
  if (has_list(call)) return given.size() > 1 && given.front().kind == Argument::Kind::Node;
  return call.packet() == "aten.embedding" || call.packet() == "aten.gather";
}

Indexed gathered(const Graph& graph, const Node& call, const Extents& shape, const Extents& index) {
  if (!has_list(call)) return {shape, index, 0};
  Indexed loops = indexed(graph, call);
  loops.shape = shape;
  return loops;
}

Access at_index(const Access& access, NodeId id, const Node& call, const Extents& from, const std::vector<Access>& index,
                const Indexed& loops) {
  Access read = elsewhere(access, id);
  const std::optional<std::size_t> dimension = only_index(call);
  if (!dimension || !access.strides) return read;
  std::uint64_t number = access.place;
  const auto add = [&](std::uint64_t next) { number = number * 1'000'003 + next + 1; };
  add(*dimension);
  for (const std::int64_t size : from) add(static_cast<std::uint64_t>(size));
  for (const std::int64_t stride : *access.strides) add(static_cast<std::uint64_t>(stride));
  read.gathered = GatheredPlace{id, number};
  read.steps = steps_at(*access.strides, *dimension, index, loops);
  return read;
}

}  // namespace fxcut
