// The values that stages send to each other.
#include "stage/stage_links.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "stage/split_at.h"

namespace fxcut {
namespace {

using Links = std::vector<StageLink>;

Links links_of(const std::vector<JointGraph>& stages) {
  std::vector<const JointGraph*> graphs;
  for (const JointGraph& stage : stages) graphs.push_back(&stage);
  return find_links(graphs);
}

void expect_link(const StageLink& link, int from, int to, std::int64_t forward_bytes, std::int64_t backward_bytes) {
  EXPECT_EQ(link.from, from);
  EXPECT_EQ(link.to, to);
  EXPECT_EQ(link.forward_bytes, forward_bytes);
  EXPECT_EQ(link.backward_bytes, backward_bytes);
}

// Three sines in a row; the last stage multiplies with the first one's table, which takes no gradient.
constexpr std::string_view kSkipping = R"(
    x = placeholder : f32[4]@1
    primals_1 = placeholder : f32[2, 4]@2
    table = aten.cos.default(primals_1) : f32[2, 4]@3 module="a"
    sin = aten.sin.default(x) : f32[4]@4 module="a"
    sin_1 = aten.sin.default(sin) : f32[4]@5 module="b"
    mul = aten.mul.Tensor(sin_1, table) : f32[2, 4]@6 module="c"
    tangents_1 = placeholder : f32[2, 4]@7
    back = aten.mul.Tensor(tangents_1, table) : f32[2, 4]@8 module="c"
    sum = aten.sum.dim_IntList(back, [0]) : f32[4]@9 module="c"
    cos = aten.cos.default(sin) : f32[4]@10 module="b"
    mul_1 = aten.mul.Tensor(sum, cos) : f32[4]@11 module="b"
    cos_1 = aten.cos.default(x) : f32[4]@12 module="a"
    mul_2 = aten.mul.Tensor(mul_1, cos_1) : f32[4]@13 module="a"
    return mul | mul_2, None
)";

TEST(StageLinks, AValueGoesStraightToEachStageThatUsesIt) {
  const Links links = links_of(split_at(joint_graph(kSkipping), {"b", "c"}));
  ASSERT_EQ(links.size(), 3U);
  expect_link(links[0], 0, 1, 16, 16);
  expect_link(links[1], 0, 2, 32, 0);
  expect_link(links[2], 1, 2, 16, 16);
  EXPECT_FALSE(links[0].skips());
  EXPECT_TRUE(links[1].skips());
}

TEST(StageLinks, AStageThatWasCapturedByItselfSendsItsOutputsToTheNext) {
  const std::string stage = "primals_1 = placeholder : f32[4]@1\nsin = aten.sin.default(primals_1) : f32[4]@2\n"
                            "tangents_1 = placeholder : f32[4]@3\ncos = aten.cos.default(primals_1) : f32[4]@4\n"
                            "mul = aten.mul.Tensor(tangents_1, cos) : f32[4]@5\nreturn sin | mul";
  const Links links = links_of({joint_graph(stage), joint_graph(stage)});
  ASSERT_EQ(links.size(), 1U);
  expect_link(links[0], 0, 1, 16, 16);
}

TEST(StageLinks, AStageThatIsThereTwiceSendsItsOutputsToTheNext) {
  const std::vector<JointGraph> parts = split_at(joint_graph(kSkipping), {"b", "c"});
  const Links links = links_of({parts[0], parts[1], parts[1], parts[2]});
  ASSERT_EQ(links.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(links[static_cast<std::size_t>(i)].from, i);
    EXPECT_EQ(links[static_cast<std::size_t>(i)].to, i + 1);
  }
}

}  // namespace
}  // namespace fxcut
