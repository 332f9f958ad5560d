#include "step/join_partition.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "graph/naming.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(const Graph& graph) {
  Positions positions;
  for (std::size_t i = 0; i + 1 < graph.size(); ++i) positions.emplace(graph.nodes[i].name, i);
  return positions;
}

// One of the two graphs, of which a growing first part is in the result.
struct Part {
  explicit Part(const Graph& source) : graph(source), rebuilt(source.size(), kNoNode) {}

  const Graph& graph;
  std::vector<NodeId> rebuilt;  // by node: the one of the result
  std::size_t next = 0;
};

class Joining {
 public:
  Joining(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried)
      : step_(step), forward_(graphs.forward), backward_(graphs.backward), in_forward_(positions_of(graphs.forward)),
        carried_(carried) {
    result_.operators = graphs.forward.operators;
  }

  Graph run() {
    const Positions in_backward = positions_of(backward_.graph);
    for (const Node& node : forward_.graph.nodes) {
      if (!node.is_output()) names_.create(node.name);
    }
    for (std::size_t i = 0; i < step_.graph.size(); ++i) {
      const bool is_backward = step_.is_after_loss[i];
      const Positions& positions = is_backward ? in_backward : in_forward_;
      const auto found = positions.find(step_.graph.nodes[i].name);
      if (found != positions.end()) advance(is_backward ? backward_ : forward_, found->second + 1);
    }
    advance(forward_, forward_.graph.size() - 1);
    advance(backward_, backward_.graph.size() - 1);
    add_output();
    return std::move(result_);
  }

 private:
  void advance(Part& part, std::size_t end) {
    for (; part.next < end; ++part.next) add(part, part.next);
  }

  void add(Part& part, std::size_t position) {
    const Node& node = part.graph.nodes[position];
    const bool is_backward = &part == &backward_;
    if (is_backward && node.is_placeholder()) return;  // found when it is used
    if (is_backward && node.opcode == Opcode::GetAttr) {
      if (const auto same = in_forward_.find(node.name); same != in_forward_.end()) {
        advance(forward_, same->second + 1);
        part.rebuilt[position] = forward_.rebuilt[same->second];
        return;
      }
    }
    Node copy = node;
    for (NodeId& input : copy.inputs) input = representative(part, input);
    if (is_backward) {
      copy.is_recomputed_copy = in_forward_.contains(node.name) && node.origin != kNoOrigin;
      copy.name = names_.create(copy.is_recomputed_copy ? node.name + "_recomputed" : node.name);
      copy.meta.autograd_backward = true;
    }
    result_.nodes.push_back(std::move(copy));
    part.rebuilt[position] = node_id(result_.size() - 1);
  }

  NodeId representative(Part& part, NodeId id) {
    NodeId& known = part.rebuilt[index_of(id)];
    if (known == kNoNode && &part == &backward_) known = value_behind(id);
    return known;
  }

  // The value of the forward that a placeholder of the backward stands for.
  NodeId value_behind(NodeId placeholder) {
    if (sources_.empty()) find_sources();
    const NodeId source = sources_.at(index_of(placeholder));
    advance(forward_, index_of(source) + 1);
    return representative(forward_, source);
  }

  void find_sources() {
    const std::vector<OutputLeaf> returned = output_leaves(forward_.graph);
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < backward_.graph.size(); ++i) {
      if (backward_.graph.nodes[i].is_placeholder()) inputs.push_back(i);
    }
    for (const CarriedValue& value : carried_) {
      sources_.emplace(inputs.at(value.backward_input), returned.at(value.forward_output).node.value());
    }
  }

  void add_output() {
    const std::vector<OutputLeaf> forward = output_leaves(forward_.graph), backward = output_leaves(backward_.graph);
    std::vector<OutputLeaf> leaves;
    std::size_t next_forward = 0, next_backward = 0;
    for (const bool of_backward : step_.is_backward_output) {
      OutputLeaf leaf = of_backward ? backward.at(next_backward++) : forward.at(next_forward++);
      if (leaf.node) leaf.node = representative(of_backward ? backward_ : forward_, *leaf.node);
      leaves.push_back(leaf);
    }
    result_.nodes.push_back(returning(step_.graph.output(), leaves));
  }

  const WholeStep& step_;
  Part forward_, backward_;
  const Positions in_forward_;
  const std::vector<CarriedValue>& carried_;
  std::unordered_map<std::size_t, NodeId> sources_;  // by placeholder of the backward
  Namespace names_;
  Graph result_;
};

}  // namespace

Graph join_partition(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried) {
  return Joining(step, graphs, carried).run();
}

}  // namespace fxcut
