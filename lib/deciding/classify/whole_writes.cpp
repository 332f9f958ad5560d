#include "classify/whole_writes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

bool is_copy(const Node& node) { return node.calls("aten.copy_.default") && node.inputs.size() > 1; }

std::optional<std::int64_t> count_elements(const Tensor& tensor) {
  std::int64_t count = 1;
  for (const Size& size : tensor.shape) {
    if (size.expression || __builtin_mul_overflow(count, size.hint, &count)) return std::nullopt;
  }
  return count;
}

bool are_equal(const Sizes& a, const Sizes& b) {
  return std::ranges::equal(a, b, {}, &Size::hint, &Size::hint);
}

// Whether its elements are adjacent, in any order of dimensions.
bool is_dense(const Tensor& tensor) {
  if (tensor.stride.size() != tensor.shape.size()) return false;
  std::vector<std::pair<std::int64_t, std::int64_t>> dimensions;  // stride and size
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    if (tensor.stride[i].expression) return false;
    if (tensor.shape[i].hint != 1) dimensions.emplace_back(tensor.stride[i].hint, tensor.shape[i].hint);
  }
  std::ranges::sort(dimensions);
  std::int64_t expected = 1;
  return std::ranges::all_of(dimensions, [&](const auto& dimension) {
    const bool follows = dimension.first == expected;
    expected *= dimension.second;
    return follows;
  });
}

// The nodes' facts about a memory.
struct Memory {
  Tensor first;  // of the node that made or brought it
  bool is_one = true;  // exactly one such node, and no as_strided
};

class Memories {
 public:
  Memories(const Graph& graph, const MergedStorages& merged) : graph_(graph), merged_(merged) {
    for (const Node& node : graph.nodes) {
      if (node.value) add(node, *node.value);
    }
  }

  bool is_all(const Tensor& tensor) const {
    const auto memory = tensor.storage ? by_storage_.find(number(tensor)) : by_storage_.end();
    if (memory == by_storage_.end() || !memory->second.is_one) return false;
    const Tensor& first = memory->second.first;
    const bool has_all = tensor.dtype == first.dtype && count_elements(tensor) && count_elements(tensor) == count_elements(first);
    const bool is_alike = are_equal(tensor.shape, first.shape) && are_equal(tensor.stride, first.stride);
    return has_all && (is_alike || is_dense(tensor));
  }

  bool are_one(const Tensor& a, const Tensor& b) const { return are_alike(a, b) && number(a) == number(b); }

  // Whether each is all of its memory, with the elements in the same places.
  bool are_alike(const Tensor& a, const Tensor& b) const {
    return is_all(a) && is_all(b) && a.dtype == b.dtype && are_equal(a.shape, b.shape) && are_equal(a.stride, b.stride);
  }

 private:
  std::int64_t number(const Tensor& tensor) const { return storage_after_merging(merged_, *tensor.storage); }

  void add(const Node& node, const Value& value) {
    for (const Value& item : value.items) add(node, item);
    if (!value.is_tensor() || !value.tensor.storage) return;
    const bool is_of_input = node.is_call() && std::ranges::any_of(node.inputs, [&](NodeId input) {
                               return graph_[input].value && has(*graph_[input].value, number(value.tensor));
                             });
    const auto [memory, is_new] = by_storage_.try_emplace(number(value.tensor), Memory{value.tensor});
    if ((!is_new && !is_of_input) || node.calls("aten.as_strided.default")) memory->second.is_one = false;
  }

  bool has(const Value& value, std::int64_t storage) const {
    if (value.is_tensor() && value.tensor.storage && number(value.tensor) == storage) return true;
    return std::ranges::any_of(value.items, [&](const Value& item) { return has(item, storage); });
  }

  const Graph& graph_;
  const MergedStorages& merged_;
  std::unordered_map<std::int64_t, Memory> by_storage_;
};

// The clones so far, and what was written since.
class Clones {
 public:
  Clones(const Graph& graph, const MergedStorages& merged) : graph_(graph), merged_(merged), made_(graph.size()) {}

  void run(NodeId id) {
    const Node& node = graph_[id];
    if (writes(node)) {
      for (const NodeId input : written_inputs(node)) {
        if (const auto memory = memory_of(input)) ++writes_[*memory];
      }
    } else if (node.calls("aten.clone.default") && memory_of(id) && memory_of(node.inputs.front())) {
      made_[index_of(id)] = {writes_[*memory_of(id)], writes_[*memory_of(node.inputs.front())]};
    }
  }

  // The node that it is a clone of, if neither has changed.
  std::optional<NodeId> unchanged(NodeId id) {
    const auto& made = made_[index_of(id)];
    if (!made) return std::nullopt;
    const NodeId of = graph_[id].inputs.front();
    return writes_[*memory_of(id)] == made->first && writes_[*memory_of(of)] == made->second ? std::optional(of) : std::nullopt;
  }

 private:
  std::optional<std::int64_t> memory_of(NodeId id) const {
    const auto storage = graph_[id].storage();
    return storage ? std::optional(storage_after_merging(merged_, *storage)) : std::nullopt;
  }

  const Graph& graph_;
  const MergedStorages& merged_;
  std::unordered_map<std::int64_t, std::size_t> writes_;                       // by memory
  std::vector<std::optional<std::pair<std::size_t, std::size_t>>> made_;  // by clone: the writes to it and to its source before
};

// The memories that hold equal elements in equal positions: after a clone, or a copy_ of one whole memory to another.
class EqualContents {
 public:
  EqualContents(const Graph& graph, const MergedStorages& merged, const Memories& memories)
      : graph_(graph), merged_(merged), memories_(memories) {}

  bool hold_same(NodeId a, NodeId b) { return are_alike(a, b) && content_of(a) == content_of(b); }

  // Returns when the memory that the node writes to has first held the same, if it has.
  std::optional<HeldAfter> run(NodeId id) {
    const Node& node = graph_[id];
    if (is_copy(node) && are_alike(node.inputs[0], node.inputs[1])) return copy(id);
    if (node.calls("aten.clone.default") && are_alike(id, node.inputs.front())) set(id, content_of(node.inputs.front()));
    if (!writes(node)) return std::nullopt;
    for (const NodeId input : written_inputs(node)) change(id, graph_[input].value.get());
    return std::nullopt;
  }

 private:
  bool are_alike(NodeId a, NodeId b) const {
    return graph_[a].has_tensor() && graph_[b].has_tensor() &&
           memories_.are_alike(graph_[a].value->tensor, graph_[b].value->tensor);
  }
  std::int64_t memory_of(NodeId id) const { return storage_after_merging(merged_, *graph_[id].storage()); }
  std::size_t content_of(NodeId id) {
    const auto [known, is_new] = contents_.try_emplace(memory_of(id), next_);
    if (is_new) ++next_;
    return known->second;
  }
  void set(NodeId id, std::size_t content) { contents_[memory_of(id)] = content; }
  std::optional<HeldAfter> copy(NodeId id) {
    const NodeId to = graph_[id].inputs[0];
    const std::size_t content = content_of(graph_[id].inputs[1]);
    content_of(to);
    change(id, graph_[to].value.get());
    set(to, content);
    const Past& past = past_[memory_of(to)];
    const auto before = past.held.find(content);
    return before == past.held.end() ? std::nullopt : std::optional(before->second);
  }
  void change(NodeId write, const Value* value) {
    if (!value) return;
    if (value->is_tensor() && value->tensor.storage) {
      const std::int64_t memory = storage_after_merging(merged_, *value->tensor.storage);
      Past& past = past_[memory];
      if (const auto known = contents_.find(memory); known != contents_.end()) past.held.try_emplace(known->second, past.last);
      past.last.write = write;
      contents_[memory] = next_++;
    }
    for (const Value& item : value->items) change(write, &item);
  }

  // The earlier contents of a memory before its last write, and since when it held each.
  struct Past {
    std::unordered_map<std::size_t, HeldAfter> held = {};
    HeldAfter last = {};
  };

  const Graph& graph_;
  const MergedStorages& merged_;
  const Memories& memories_;
  std::unordered_map<std::int64_t, std::size_t> contents_;  // by memory: a number that only those have that hold the same
  std::unordered_map<std::int64_t, Past> past_;             // by memory
  std::size_t next_ = 0;
};

}  // namespace

CopiesInPlace find_copies_in_place(const Graph& graph, const MergedStorages& merged) {
  const std::vector<bool> none(graph.size(), false);
  CopiesInPlace found{none, none, none, std::vector<std::optional<HeldAfter>>(graph.size())};
  if (std::ranges::none_of(graph.nodes, is_copy)) return found;
  const Memories memories(graph, merged);
  Clones clones(graph, merged);
  EqualContents contents(graph, merged, memories);
  const auto are_same = [&](NodeId one, NodeId other) {
    return one == other || (graph[one].has_tensor() && graph[other].has_tensor() &&
                            memories.are_one(graph[one].value->tensor, graph[other].value->tensor));
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (is_copy(node)) {
      const NodeId to = node.inputs[0], from = node.inputs[1];
      const auto cloned = clones.unchanged(from);
      found.is_whole[i] = graph[to].has_tensor() && memories.is_all(graph[to].value->tensor);
      found.is_idle[i] = to == from;
      found.writes_same[i] =
          !found.is_idle[i] && (are_same(to, from) || (cloned && are_same(to, *cloned)) || contents.hold_same(to, from));
    }
    if (found.is_idle[i] || found.writes_same[i]) continue;
    clones.run(node_id(i));
    found.restores[i] = contents.run(node_id(i));
  }
  return found;
}

}  // namespace fxcut
