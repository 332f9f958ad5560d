// The facts about each node of the joint graph that a simulated step needs, whatever is decided.
//
// A search simulates tens of thousands of steps, each a few passes over all nodes. A Node takes several cache lines, most of them
// for names, arguments and sources that the passes do not read; here a node takes a third of one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/analysis.h"

namespace fxcut {

struct StepNode {
  bool is_placeholder = false;
  bool is_output = false;
  bool is_getitem = false;            // of one tuple, its only input
  bool is_copy = false;               // aten.copy_
  bool only_in_backward = false;      // only the backward can compute it, or has it as an input
  bool uses_gradient = false;         // a tangent is among its inputs, or it is after a whole step's loss
  bool required_in_forward = false;   // an output of the forward needs it
  bool returned_by_forward = false;
  bool returned_by_backward = false;
  bool draws_cpu_numbers = false;     // its generator's state is saved if it runs on both sides
};

class StepNodes {
 public:
  explicit StepNodes(const Analysis& analysis);

  // By position in the joint graph.
  const StepNode& operator[](std::size_t node) const { return nodes_[node]; }
  std::size_t size() const { return nodes_.size(); }
  // One for each reference in its arguments; may repeat.
  std::span<const std::uint32_t> inputs_of(std::size_t node) const { return part(inputs_, inputs_begin_, node); }
  // The collectives that it waits for, which read their operands until then.
  std::span<const std::uint32_t> awaited_by(std::size_t node) const { return part(awaited_, awaited_begin_, node); }
  // The getitems of a tuple.
  std::span<const std::uint32_t> getitems_of(std::size_t node) const { return part(getitems_, getitems_begin_, node); }

 private:
  using Begins = std::vector<std::uint32_t>;  // by node, into a list; then its size

  static std::span<const std::uint32_t> part(const std::vector<std::uint32_t>& list, const Begins& begin, std::size_t node) {
    return {list.data() + begin[node], list.data() + begin[node + 1]};
  }
  void list_inputs(const Graph& graph);
  void list_getitems();
  void find_returned(const Analysis& analysis);

  std::vector<StepNode> nodes_;
  std::vector<std::uint32_t> inputs_, awaited_, getitems_;
  Begins inputs_begin_ = {0}, awaited_begin_ = {0}, getitems_begin_;
};

}  // namespace fxcut
