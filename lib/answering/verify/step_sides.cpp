#include "verify/step_sides.h"

#include <memory>
#include <utility>

namespace fxcut {

JointGraph as_forward(const JointGraph& step) {
  JointGraph forward = step;
  forward.graph = step.step->graph;
  forward.num_forward_outputs = output_leaves(forward.graph).size();
  for (Node& node : forward.graph.nodes) {  // all runs on one side
    node.meta.tag = PartitionerTag::None;
    node.meta.phase = StepPhase::Forward;
  }
  forward.step = nullptr;
  return forward;
}

JointGraph empty_backward(const JointGraph& forward) {
  JointGraph backward = forward;
  Node output = backward.graph.output();
  output.inputs.clear();
  Argument nothing;
  nothing.kind = Argument::Kind::Tuple;
  auto arguments = std::make_shared<Arguments>();
  arguments->positional.push_back(nothing);
  output.arguments = std::move(arguments);
  backward.graph.nodes = {std::move(output)};
  backward.subgraphs.clear();
  return backward;
}

}  // namespace fxcut
