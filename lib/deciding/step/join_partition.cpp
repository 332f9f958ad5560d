#include "step/join_partition.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "classify/purity.h"
#include "graph/naming.h"
#include "graph/rebuild.h"
#include "normalise/dead_code.h"
#include "step/backward_regions.h"
#include "step/late_calls.h"

namespace fxcut {
namespace {

using Positions = std::unordered_map<std::string_view, std::size_t>;

Positions positions_of(const Graph& graph) {
  Positions positions;
  for (std::size_t i = 0; i + 1 < graph.size(); ++i) positions.emplace(graph.nodes[i].name, i);
  return positions;
}

// Unused results of the forward are removed, as in PyTorch's pass; random numbers are drawn as before.
bool must_stay_in_step(const Node& node) { return is_impure(node) || (node.is_call() && node.callee->seeded_random); }

// One of the two graphs, a growing prefix of which is in the result.
struct Part {
  explicit Part(const Graph& source) : graph(source), rebuilt(source.size(), kNoNode), region_of(source.size(), 0) {}

  const Graph& graph;
  std::vector<NodeId> rebuilt;         // by node: the result's node
  std::vector<std::size_t> region_of;  // by node: the region of the backward that it is in
  std::size_t next = 0;
};

class Joining {
 public:
  Joining(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried, RecomputeIn where)
      : step_(step), forward_(graphs.forward), backward_(graphs.backward), in_forward_(positions_of(graphs.forward)),
        in_step_(positions_of(step.graph)),
        carried_(carried), where_(where), is_annotated_(has_annotated_backward(step.graph)) {
    result_.operators = graphs.forward.operators;
  }

  Graph run() {
    const Positions in_backward = positions_of(backward_.graph);
    for (const Node& node : forward_.graph.nodes) {
      if (!node.is_output()) names_.create(node.name);
    }
    for (const NodeId id : order_with_late_calls(step_.graph)) {
      const bool is_backward = step_.graph[id].meta.is_after_loss();
      const Positions& positions = is_backward ? in_backward : in_forward_;
      const auto found = positions.find(step_.graph[id].name);
      if (found != positions.end()) advance(is_backward ? backward_ : forward_, found->second + 1);
    }
    advance(forward_, forward_.graph.size() - 1);
    advance(backward_, backward_.graph.size() - 1);
    add_output();
    return eliminate_dead_code(std::move(result_), must_stay_in_step);
  }

 private:
  void advance(Part& part, std::size_t end) {
    for (; part.next < end; ++part.next) add(part, part.next);
  }

  // A node to be added after its inputs.
  struct Open {
    std::size_t position = 0;
    Node node;
    std::size_t inputs_there = 0;
  };

  // Adds the node, preceded by the backward's nodes that it takes and that have to run again.
  void add(Part& part, std::size_t position) {
    if (is_found_elsewhere(part, position)) return;
    std::vector<Open> open;
    open.push_back({position, part.graph.nodes[position]});
    while (!open.empty()) {
      Open& last = open.back();
      if (last.inputs_there == last.node.inputs.size()) {
        append(part, last.position, std::move(last.node));
        open.pop_back();
        continue;
      }
      NodeId& input = last.node.inputs[last.inputs_there];
      if (&part == &backward_ && must_run_again(input)) {
        const std::size_t again = index_of(input);
        open.push_back({again, part.graph.nodes[again]});
      } else {
        input = representative(part, input);
        ++last.inputs_there;
      }
    }
  }

  // A placeholder of the backward is found when it is used; a constant of both graphs is the forward's.
  bool is_found_elsewhere(Part& part, std::size_t position) {
    const Node& node = part.graph.nodes[position];
    const bool is_backward = &part == &backward_;
    if (is_backward && node.is_placeholder()) return true;
    if (is_backward && node.opcode == Opcode::GetAttr) {
      if (const auto same = in_forward_.find(node.name); same != in_forward_.end()) {
        advance(forward_, same->second + 1);
        part.rebuilt[position] = forward_.rebuilt[same->second];
        return true;
      }
    }
    return false;
  }

  void append(Part& part, std::size_t position, Node node) {
    const bool is_backward = &part == &backward_;
    if (is_backward) name_and_mark(node);
    if (!is_backward && node.is_call() && is_behind_backward()) ++region_;
    part.region_of[position] = region_;
    result_.nodes.push_back(std::move(node));
    part.rebuilt[position] = node_id(result_.size() - 1);
  }

  // Backward-only nodes get its marks, unless they were added or are of the forward; forward nodes before the first node of the
  // backward stay the forward's.
  void name_and_mark(Node& node) {
    const bool is_added = node.origin == kNoOrigin || !in_step_.contains(node.name);
    node.is_recomputed_copy = is_recomputed_in_backward(node);
    if (node.is_recomputed_copy) node.name += kRecomputedSuffix;
    node.name = names_.create(node.name);
    const bool is_moved = !node.meta.is_after_loss() && (is_added || is_behind_backward());
    if (node.is_recomputed_copy || is_moved) mark_as_backward(node, is_annotated_);
  }

  bool is_behind_backward() const { return result_.size() > 0 && result_.nodes.back().meta.is_after_loss(); }

  bool is_recomputed_in_backward(const Node& node) const { return in_forward_.contains(node.name) && node.origin != kNoOrigin; }

  NodeId representative(Part& part, NodeId id) {
    NodeId& known = part.rebuilt[index_of(id)];
    if (known == kNoNode && &part == &backward_) known = value_behind(id);
    return known;
  }

  // Whether this region of the backward has to recompute it because an earlier region did.
  bool must_run_again(NodeId id) const {
    const Node& node = backward_.graph[id];
    return where_ == RecomputeIn::EachRegion && node.is_call() && backward_.region_of[index_of(id)] != region_ &&
           is_recomputed_in_backward(node) && !is_impure(node);
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
  const Positions in_forward_, in_step_;
  const std::vector<CarriedValue>& carried_;
  const RecomputeIn where_;
  const bool is_annotated_;
  std::size_t region_ = 0;                           // of the backward, to which nodes are added
  std::unordered_map<std::size_t, NodeId> sources_;  // by placeholder of the backward
  Namespace names_;
  Graph result_;
};

}  // namespace

Graph join_partition(const WholeStep& step, const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                     RecomputeIn where) {
  return Joining(step, graphs, carried, where).run();
}

}  // namespace fxcut
