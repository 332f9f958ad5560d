// The positions of all crossing values in the two graphs.
#include "report/carried_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

NodeId id_of(const Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].name == name) return node_id(i);
  }
  ADD_FAILURE() << name;
  return node_id(0);
}

// The joint graph has one output of the forward.
struct CarryingStep {
  JointGraph joint = joint_graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4]
    cos = aten.cos.default(sin) : f32[4]
    size = aten.sym_size.int(primals_1, 0) : symint(s0=4)
    return cos | tangents_1)");
  Crossing crossing = {{id_of(joint.graph, "sin"), id_of(joint.graph, "cos")}, {}, {id_of(joint.graph, "size")}};
  Finished finished = {{joint.graph, joint_graph(R"(
    size = placeholder : symint(s0=4)
    state = placeholder : uint8[16]
    cos = placeholder : f32[4]
    cpu_offload_sin = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    return tangents_1 |)").graph}, {}, {}};

  CarryingStep() {
    for (Node& node : finished.graphs.backward.nodes) {
      node.origin = node.name == "state" ? kNoOrigin : 0;
    }
    OffloadCandidate offloaded, refused;
    offloaded.name = "sin";
    offloaded.host_name = "cpu_offload_sin";
    refused.name = "cos";
    finished.offloads = {offloaded, refused};
  }
};

TEST(CarriedValues, StandBehindTheForwardsOutputs) {
  const CarryingStep step;
  std::string text;
  for (const CarriedValue& carried : carried_values(step.joint, step.crossing, step.finished)) {
    text += fmt::format("{}->{} ", carried.forward_output, carried.backward_input);
  }
  EXPECT_EQ(text, "1->3 2->2 3->1 4->0 ") << "sin, by its copy on the host; cos; the random state; the size";
}

TEST(CrossingNames, AreThoseOfCopiesAndOfQuantizedValues) {
  CarryingStep step;
  step.finished.quantized = {{.name = "cos", .quantized = "fp8_quant_pos_2_cos", .scale = ""}};
  const CrossingNames names = crossing_names(step.finished);
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names.at("sin"), "cpu_offload_sin");
  EXPECT_EQ(names.at("cos"), "fp8_quant_pos_2_cos");
}

}  // namespace
}  // namespace fxcut
