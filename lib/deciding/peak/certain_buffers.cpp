#include "peak/certain_buffers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "graph/device_blocks.h"
#include "graph/disjoint_sets.h"
#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

constexpr std::int64_t kUnknownBytes = std::numeric_limits<std::int64_t>::max();

// The forward has all inputs but the gradients, so its allocator is that of any of them.
bool runs_in_blocks(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    return node.is_placeholder() && !is_tangent(node) && node.has_tensor() && allocates_blocks(node.value->tensor.device);
  });
}

std::int64_t least_bytes_of(const Tensor& tensor) { return std::min(element_bytes(tensor), extent_bytes(tensor)); }

// Whether the result may be in the memory of the call's first input: a view, a copy that is removed for nothing, or a write.
bool may_be_first_input(const Node& call) {
  return lowering_of(call) == Lowering::View || lowering_of(call) == Lowering::Write || call.callee->packet == "aten.clone";
}

// By node, whether it is computed of nothing but numbers.
std::vector<bool> find_constants(const Graph& graph) {
  std::vector<bool> is_constant(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const auto is_known = [&](NodeId input) { return is_constant[index_of(input)]; };
    is_constant[i] = node.is_call() && std::ranges::all_of(node.inputs, is_known);
  }
  return is_constant;
}


void join_views(const Graph& graph, DisjointSets& sets) {
  std::map<std::pair<NodeId, std::int64_t>, std::size_t> items;  // of tuples
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || node.inputs.empty()) continue;
    const NodeId first = node.inputs.front();
    if (!node.calls("operator.getitem")) {
      if (may_be_first_input(node)) sets.join(i, index_of(first));
      continue;
    }
    const Node& tuple = graph[first];
    const auto position = item_position(node);
    const bool is_of_library = tuple.is_call() && !tuple.calls("operator.getitem") && !may_be_first_input(tuple);
    if (!is_of_library || !position) sets.join(i, index_of(first));
    else sets.join(i, items.try_emplace({first, *position}, i).first->second);
  }
}

void join_storages(const RecomputeProblem& problem, DisjointSets& sets) {
  std::vector<std::optional<std::size_t>> first(problem.storages.size());
  for (const Item& item : problem.items) {
    if (!item.has_storage() || item.is_form()) continue;
    if (first[item.storage]) sets.join(index_of(item.node), *first[item.storage]);
    else first[item.storage] = index_of(item.node);
  }
}

}  // namespace

CertainBuffers::CertainBuffers(const Analysis& analysis, const RecomputeProblem& problem)
    : graph_(analysis.graph()), in_blocks_(runs_in_blocks(graph_)), memory_(graph_.size()), bytes_(graph_.size(), kUnknownBytes),
      in_terms_(graph_.size(), 0), in_saved_terms_(graph_.size(), 0), is_shared_(graph_.size(), false) {
  DisjointSets sets(graph_.size());
  join_views(graph_, sets);
  join_storages(problem, sets);
  for (std::size_t i = 0; i < graph_.size(); ++i) memory_[i] = sets.find(i);
  find_bytes(graph_);
  share_concatenations(problem);
  find_of_storages(problem);
}

void CertainBuffers::find_of_storages(const RecomputeProblem& problem) {
  between_.assign(problem.storages.size(), 0);
  in_backward_ = between_;
  std::vector<StorageIndex> first_in(graph_.size(), kNoStorage);
  std::vector<bool> is_seen(problem.storages.size(), false);
  for (const Item& item : problem.items) {
    if (!item.has_storage() || is_seen[item.storage]) continue;
    is_seen[item.storage] = true;
    if (item.is_form()) {
      between_[item.storage] = in_backward_[item.storage] = problem.forms[item.form].bytes;
      continue;
    }
    const std::size_t memory = memory_of(item.node);
    StorageIndex& first = first_in[memory];
    if (first == kNoStorage) {
      first = item.storage;
      between_[first] = std::max<std::int64_t>(0, bytes_[memory] - in_saved_terms_[memory]);
      in_backward_[first] = is_shared_[memory] ? 0 : std::max<std::int64_t>(0, bytes_[memory] - in_terms_[memory]);
    } else {
      in_backward_[first] = 0;
    }
  }
}

void CertainBuffers::find_bytes(const Graph& graph) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    std::int64_t& bytes = bytes_[memory_[i]];
    const Node& node = graph.nodes[i];
    if (!node.is_call() && !is_tangent(node)) bytes = 0;
    else if (node.has_tensor()) bytes = std::min(bytes, least_bytes_of(node.value->tensor));
  }
  for (std::int64_t& bytes : bytes_) bytes = bytes == kUnknownBytes ? 0 : taken(bytes);
}

// A result of the forward is stored in its turn, so that a concatenation after it copies it. One before it may have written it
// into itself; and a constant is stored last. A term that nothing else reads is in memory only as long as the concatenation is
// not.
void CertainBuffers::share_concatenations(const RecomputeProblem& problem) {
  const std::vector<bool> is_constant = find_constants(graph_);
  // By memory, the other memory that what reads it makes, if that is one; else itself.
  std::vector<std::size_t> read_by(graph_.size(), graph_.size());
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    for (const NodeId input : graph_.nodes[i].inputs) {
      const std::size_t read = memory_of(input), made = memory_[i];
      if (read == made) continue;
      read_by[read] = read_by[read] == graph_.size() || read_by[read] == made ? made : read;
    }
  }
  const auto is_read_beside = [&](std::size_t term, std::size_t whole) { return read_by[term] != whole; };
  // By memory, the last node in it that may be saved; of constants the graph's end.
  std::vector<std::size_t> last(graph_.size(), 0);
  for (const Item& item : problem.items) {
    if (item.savable) last[memory_of(item.node)] = std::max(last[memory_of(item.node)], index_of(item.node));
  }
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    if (is_constant[i]) last[memory_[i]] = graph_.size();
  }
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const std::size_t whole = memory_[i];
    if (!graph_.nodes[i].is_call() || !is_concatenation_or_padding(graph_.nodes[i])) continue;
    std::unordered_set<std::size_t> terms;
    for (const NodeId input : graph_.nodes[i].inputs) {
      const std::size_t term = memory_of(input);
      if (term == whole || !terms.insert(term).second) continue;
      if (is_read_beside(term, whole)) in_terms_[whole] += bytes_[term];
      if (last[term] < i) continue;
      in_saved_terms_[whole] += bytes_[term];
      is_shared_[term] = is_shared_[whole] = true;
    }
  }
}

std::int64_t CertainBuffers::taken(std::int64_t bytes) const { return in_blocks_ ? rounded_as_allocated(bytes) : bytes; }

std::int64_t CertainBuffers::of_nodes(std::span<const NodeId> nodes) const {
  std::unordered_set<std::size_t> counted;
  std::int64_t sum = 0;
  for (const NodeId id : nodes) {
    const Node& node = graph_[id];
    if (!node.value || !counted.insert(memory_of(id)).second) continue;
    if (node.has_tensor()) sum += std::max<std::int64_t>(0, bytes_[memory_of(id)] - in_terms_[memory_of(id)]);
    else if (node.is_call() && lowering_of(node) == Lowering::Extern) {
      for (const Value& item : node.value->items) {
        if (item.is_tensor()) sum += taken(least_bytes_of(item.tensor));
      }
    }
  }
  return sum;
}

}  // namespace fxcut
