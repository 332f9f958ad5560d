// A stage as a file.
#include <gtest/gtest.h>

#include "graph_text.h"
#include "read/read_graph.h"
#include "stage/split_at.h"
#include "write/graph_json.h"

namespace fxcut {
namespace {

constexpr std::string_view kTwoModules = R"(
    primals_1 = placeholder : f32[4] static
    primals_2 = placeholder : f32[4] static
    sin = aten.sin.default(primals_1) : f32[4] module="a" recompute=MUST_RECOMPUTE
    mul = aten.mul.Tensor(sin, primals_2) : f32[4] module="b"
    tangents_1 = placeholder : f32[4]
    mul_1 = aten.mul.Tensor(tangents_1, sin) : f32[4] module="b"
    mul_2 = aten.mul.Tensor(tangents_1, primals_2) : f32[4] module="b"
    cos = aten.cos.default(primals_1) : f32[4] module="a"
    mul_3 = aten.mul.Tensor(mul_2, cos) : f32[4] module="a"
    return mul | mul_3, mul_1
)";

TEST(WrittenStage, IsReadAsTheStageThatItIs) {
  const auto document = Document::parse(joint_json(kTwoModules), "joint.json");
  const auto stages = split_at(read_joint_graph(*document), {"b"});
  ASSERT_EQ(stages.size(), 2U);
  for (const JointGraph& stage : stages) {
    std::string text;
    write_joint_graph_json(stage, *document, [&](std::string_view piece) { text += piece; });
    const JointGraph read = read_joint_graph(*Document::parse(text, "stage.json"));
    EXPECT_EQ(read.name, stage.name);
    EXPECT_EQ(read.compiler, stage.compiler);
    EXPECT_EQ(read.num_forward_outputs, stage.num_forward_outputs);
    EXPECT_EQ(text_of(read.graph), text_of(stage.graph));
    ASSERT_EQ(read.graph.size(), stage.graph.size());
    for (std::size_t i = 0; i < read.graph.size(); ++i) {
      const Node &one = read.graph.nodes[i], &other = stage.graph.nodes[i];
      EXPECT_EQ(one.meta.static_lifetime, other.meta.static_lifetime) << one.name;
      EXPECT_EQ(one.meta.recompute, other.meta.recompute) << one.name;
      EXPECT_EQ(one.value != nullptr, other.value != nullptr) << one.name;
      EXPECT_EQ(is_tangent(one), is_tangent(other)) << one.name;
    }
  }
}

}  // namespace
}  // namespace fxcut
