#include "classify/gathered_parameters.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string gathered_in(std::string_view text) {
  const JointGraph joint = joint_graph(std::string(text));
  const std::vector<bool> is_gathered = find_gathered_parameters(joint.graph);
  std::string names;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    if (is_gathered[i]) names += (names.empty() ? "" : " ") + joint.graph.nodes[i].name;
  }
  return names;
}

constexpr std::string_view kStep = R"(
    primals_1 = placeholder : f32[4, 8] static
    primals_2 = placeholder : f32[4, 8]
    primals_3 = placeholder : f32[32, 8] static
    tangents_1 = placeholder : f32[8, 8]
    cast = aten._to_copy.default(primals_1) : f16[4, 8]
    gather = _c10d_functional.all_gather_into_tensor.default(cast, 8, "0") : f16[32, 8]
    wait = _c10d_functional.wait_tensor.default(gather) : f16[32, 8]
    slice = aten.slice.Tensor(wait, 0, 0, 30) : f16[30, 8]
    product = aten.mul.Tensor(slice, slice) : f16[30, 8]
    of_input = _c10d_functional.all_gather_into_tensor.default(primals_2, 8, "0") : f32[32, 8]
    of_input_wait = _c10d_functional.wait_tensor.default(of_input) : f32[32, 8]
    whole = aten.t.default(primals_3) : f32[8, 32]
    own_cast = aten._to_copy.default(primals_3) : f16[32, 8]
    both = aten.cat.default([wait, of_input_wait]) : f32[64, 8]
    return product | both)";

TEST(GatheredParameters, AreTheWayFromTheShardToTheWhole) { EXPECT_EQ(gathered_in(kStep), "cast gather wait slice"); }

}  // namespace
}  // namespace fxcut
