#include "counting_executor.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace fxcut {
namespace {

// Memory that adds to a total while it is there.
class Buffer {
 public:
  Buffer(std::int64_t& total, std::int64_t bytes) : total_(total), bytes_(bytes) { total_ += bytes_; }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { total_ -= bytes_; }

 private:
  std::int64_t& total_;
  std::int64_t bytes_;
};

// What a value of the program holds: a tensor its buffer, a tuple its items, anything else nothing.
struct Held {
  std::shared_ptr<Buffer> buffer;
  std::vector<Held> items;
};

// Those of PyTorch that return (a part of) their first argument; with the suffix _ also those that write to it.
bool returns_first_argument(const Operator& op) {
  static const std::set<std::string_view> views = {"aten._unsafe_view",
                                                   "aten.alias",
                                                   "aten.as_strided",
                                                   "aten.detach",
                                                   "aten.expand",
                                                   "aten.permute",
                                                   "aten.select",
                                                   "aten.slice",
                                                   "aten.split",
                                                   "aten.squeeze",
                                                   "aten.t",
                                                   "aten.transpose",
                                                   "aten.unsqueeze",
                                                   "aten.view",
                                                   "aten.copy_",
                                                   "aten.unbind",
                                                   "aten.diagonal",
                                                   "ao.wait_tensor",
                                                   "_c10d_functional.wait_tensor",
                                                   "aten.add_",
                                                   "aten.relu_",
                                                   "_c10d_functional.all_reduce_"};
  return views.contains(op.packet);
}

std::int64_t elements_of(const Tensor& tensor) {
  std::int64_t elements = 1;
  for (const Size& size : tensor.shape) elements *= size.hint;
  return elements;
}

// From the first to the last of a tensor's elements.
std::int64_t extent_of(const Tensor& tensor) {
  if (tensor.stride.empty() || elements_of(tensor) == 0) return elements_of(tensor);
  std::int64_t extent = 1;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) extent += (tensor.shape[d].hint - 1) * tensor.stride[d].hint;
  return extent;
}

void enlarge(const Value& value, std::map<std::int64_t, std::int64_t>& largest) {
  if (value.is_tensor() && value.tensor.storage) {
    std::int64_t& bytes = largest[*value.tensor.storage];
    bytes = std::max(bytes, extent_of(value.tensor) * value.tensor.dtype->size_bytes);
  }
  for (const Value& item : value.items) enlarge(item, largest);
}

std::map<std::int64_t, std::int64_t> largest_extents(const JointGraph& joint) {
  std::map<std::int64_t, std::int64_t> largest;
  for (const Node& node : joint.graph.nodes) {
    if (node.value) enlarge(*node.value, largest);
  }
  return largest;
}

class Executor {
 public:
  Executor(const JointGraph& joint, const Partition& partition)
      : partition_(partition), extents_(largest_extents(joint)) {
    for (const Node& node : partition.graphs.forward.nodes) {
      has_gpu_ = has_gpu_ || (node.value && is_on_gpu(*node.value));
    }
  }

  CountedRun run() {
    const Graph& forward = partition_.graphs.forward;
    std::map<std::size_t, Held> arguments;
    std::size_t position = 0;
    for (const Node& node : forward.nodes) {
      if (node.is_placeholder()) arguments[position++] = take_input(node);
    }
    inputs_ = arguments;
    std::vector<Held> returned = execute(forward, std::move(arguments));
    arguments = {};
    std::set<std::size_t> crosses;
    const auto carry = [&](std::size_t output, std::size_t input) {
      crosses.insert(output);
      arguments[input] = returned[output];
    };
    const Report& report = partition_.report;
    for (const auto* rows : {&report.saved_values, &report.saved_opaques, &report.saved_symbols}) {
      for (const SavedValue& row : *rows) carry(row.forward_output, row.backward_input);
    }
    for (const SavedState& state : report.saved_random_states) carry(state.forward_output, state.backward_input);
    std::vector<Held> held_by_caller;
    for (std::size_t i = 0; i < returned.size(); ++i) {
      if (!crosses.contains(i)) held_by_caller.push_back(returned[i]);
    }
    returned.clear();
    run_backward(std::move(arguments), std::move(held_by_caller));
    return std::move(result_);
  }

 private:
  void run_backward(std::map<std::size_t, Held> arguments, std::vector<Held> held_by_caller) {
    std::size_t position = 0;
    for (const Node& node : partition_.graphs.backward.nodes) {
      if (!node.is_placeholder()) continue;
      if (!arguments.contains(position)) {
        arguments[position] = node.value ? make(*node.value, step_bytes_) : Held{};
        held_by_caller.push_back(arguments[position]);  // a tangent
      }
      ++position;
    }
    execute(partition_.graphs.backward, std::move(arguments));
  }

  Held take_input(const Node& node) {
    if (!node.has_tensor() || !node.value->tensor.storage) {
      return node.value ? make(*node.value, result_.input_bytes) : Held{};
    }
    // Inputs may lie in one storage, which is static where one of them is.
    const std::int64_t storage = *node.value->tensor.storage;
    auto& shared = shared_inputs_[storage];
    if (!shared.buffer) {
      const auto& nodes = partition_.graphs.forward.nodes;
      const bool is_static = std::any_of(nodes.begin(), nodes.end(), [&](const Node& other) {
        return other.is_placeholder() && other.meta.static_lifetime && other.has_tensor() &&
               other.value->tensor.storage == storage;
      });
      shared = make(*node.value, is_static ? result_.static_bytes : result_.input_bytes);
    }
    return shared;
  }

  // What the graph returns. The list of arguments goes with the first node that runs, as the caller has given it away.
  std::vector<Held> execute(const Graph& graph, std::map<std::size_t, Held> arguments) {
    side_ = &graph;
    std::map<NodeId, int> uses;
    for (const Node& node : graph.nodes) {
      for (const NodeId input : std::set<NodeId>(node.inputs.begin(), node.inputs.end())) ++uses[input];
    }
    std::map<NodeId, Held> variables;
    std::vector<Held> returned;
    std::size_t position = 0;
    for (const NodeId id : find_nodes(graph, [](const Node& node) { return node.is_placeholder(); })) {
      if (uses.contains(id)) variables[id] = arguments.at(position);
      ++position;
    }
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.is_placeholder()) continue;
      if (node.is_output()) {
        for (const OutputLeaf& leaf : output_leaves(graph)) {
          returned.push_back(leaf.node ? variables.at(*leaf.node) : Held{});
        }
      } else if (node.is_call()) {
        variables[node_id(i)] = call(node, variables);
      }
      result_.steps.push_back({step_bytes_, 0});
      arguments.clear();
      for (const NodeId input : std::set<NodeId>(node.inputs.begin(), node.inputs.end())) {
        if (--uses[input] == 0) variables.erase(input);
      }
      if (!uses.contains(node_id(i))) variables.erase(node_id(i));
      result_.steps.back().bytes_after = step_bytes_;
    }
    return returned;
  }

  Held call(const Node& node, const std::map<NodeId, Held>& variables) {
    const std::string& target = node.callee->target;
    if (target == "operator.getitem") {
      const Held& tuple = variables.at(node.inputs.at(0));
      const auto key = static_cast<std::size_t>(node.arguments->positional.at(1).integer);
      if (key < tuple.items.size()) return tuple.items[key];
    }
    if (!node.value) return {};
    if (target.starts_with("higher_order.") && !target.ends_with("rng_state")) {
      return run_subgraph(node, *node.value, variables);
    }
    if (returns_first_argument(*node.callee)) {
      const Held& first = variables.at(node.inputs.at(0));
      return node.value->is_tensor() ? first : Held{nullptr, std::vector<Held>(node.value->items.size(), first)};
    }
    if (target.starts_with("prims.device_put.") || target.starts_with("ao.") || target.starts_with("xla.place_to_")) {
      const bool to_device = side_ == &partition_.graphs.backward;
      const Tensor& tensor = node.value->tensor;
      return {std::make_shared<Buffer>(step_bytes_, to_device ? extent_of(tensor) * tensor.dtype->size_bytes : 0), {}};
    }
    return make(*node.value, step_bytes_);
  }

  // A subgraph may return what it got; here only the storage numbers tell.
  Held run_subgraph(const Node& node, const Value& value, const std::map<NodeId, Held>& variables) {
    if (value.is_tensor()) {
      for (const NodeId input : node.inputs) {
        const Node& given = (*side_)[input];
        if (given.has_tensor() && value.tensor.storage && given.value->tensor.storage == value.tensor.storage) {
          return variables.at(input);
        }
      }
      return make(value, step_bytes_);
    }
    Held held;
    for (const Value& item : value.items) held.items.push_back(run_subgraph(node, item, variables));
    return held;
  }

  // Memory of the value's own.
  Held make(const Value& value, std::int64_t& total) {
    if (value.is_tensor()) {
      const bool is_there = !has_gpu_ || is_on_gpu(value);
      return {std::make_shared<Buffer>(total, is_there ? bytes_of(value.tensor) : 0), {}};
    }
    Held held;
    for (const Value& item : value.items) held.items.push_back(make(item, total));
    return held;
  }

  std::int64_t bytes_of(const Tensor& tensor) const {
    return tensor.storage ? extents_.at(*tensor.storage) : extent_of(tensor) * tensor.dtype->size_bytes;
  }

  static bool is_on_gpu(const Value& value) {
    return (value.is_tensor() && value.tensor.device.starts_with("cuda")) ||
           std::any_of(value.items.begin(), value.items.end(), is_on_gpu);
  }

  const Partition& partition_;
  std::map<std::int64_t, std::int64_t> extents_;
  bool has_gpu_ = false;
  const Graph* side_ = nullptr;  // that runs
  CountedRun result_;
  std::int64_t step_bytes_ = 0;
  std::map<std::int64_t, Held> shared_inputs_;
  std::map<std::size_t, Held> inputs_;  // the caller holds them throughout
};

}  // namespace

CountedRun run_counting(const JointGraph& joint, const Partition& partition) {
  return Executor(joint, partition).run();
}

}  // namespace fxcut
