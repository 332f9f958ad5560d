// Writes of the backward after the last need of a value do not forbid recomputing it.
#include "soundness/last_needs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "graph_text.h"
#include "soundness/find_unsound.h"

namespace fxcut {
namespace {

// The calls that the backward must not recompute.
std::string never_recomputed(const JointGraph& joint) {
  const std::vector<bool> unsound = unsound_to_recompute(joint);
  std::string names;
  for (std::size_t i = 0; i < unsound.size(); ++i) {
    if (unsound[i] && !joint.graph.nodes[i].meta.is_after_loss()) names += joint.graph.nodes[i].name + " ";
  }
  return names;
}

// A step that updates its weight after the backward has used `a`; `more` follows.
std::string updated(std::string_view before, std::string_view behind) {
  return R"(
    x = placeholder : f32[4]@0
    w = placeholder : f32[4]@1 static
    a = aten.mul.Tensor(x, w) : f32[4]@2
    b = aten.sin.default(a) : f32[4]@3
    c = aten.sin.default(b) : f32[4]@4
    g = aten.cos.default(b) : f32[4]@5 autograd_backward=true
    )" + std::string(before) + R"(
    u = aten.sub.Tensor(w, g) : f32[4]@6
    v = aten.copy_.default(w, u) : f32[4]@1
    )" + std::string(behind) + R"(
    return c)";
}

TEST(LastNeeds, AnUpdateBehindTheBackwardForbidsNothingInIt) {
  EXPECT_EQ(never_recomputed(step_graph(updated("", ""))), "");
  EXPECT_EQ(never_recomputed(step_graph(updated("k = aten.cos.default(a) : f32[4]@7 autograd_backward=true", ""))), "");
}

TEST(LastNeeds, ValuesFirstNeededAfterTheUpdateAreNotRecomputed) {
  const std::string late = updated("", "k = aten.mul.Tensor(c, g) : f32[4]@7\n    m = aten.copy_.default(x, k) : f32[4]@0");
  EXPECT_EQ(never_recomputed(step_graph(late)), "") << "b, and with it a, is there before";
  const std::string only_late = R"(
    x = placeholder : f32[4]@0
    w = placeholder : f32[4]@1 static
    a = aten.mul.Tensor(x, w) : f32[4]@2
    g = aten.cos.default(x) : f32[4]@5 autograd_backward=true
    u = aten.sub.Tensor(w, g) : f32[4]@6
    v = aten.copy_.default(w, u) : f32[4]@1
    k = aten.mul.Tensor(a, g) : f32[4]@7
    m = aten.copy_.default(x, k) : f32[4]@0
    return a)";
  EXPECT_EQ(never_recomputed(step_graph(only_late)), "a ");
}

TEST(LastNeeds, WritesOfTheForwardComeBeforeTheBackward) {
  EXPECT_EQ(never_recomputed(joint_graph(R"(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    sin = aten.sin.default(primals_1) : f32[4]@2
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@4
    written = aten.copy_.default(primals_1, sin) : f32[4]@0 partitioner_tag=is_forward
    return sin | grad)")), "sin ");
}

TEST(LastNeeds, WritesOfTheBackwardBehindTheLastUseDoNotMatter) {
  constexpr std::string_view kBegin = R"(
    primals_1 = placeholder : f32[4]@0
    tangents_1 = placeholder : f32[4]@1
    sin = aten.sin.default(primals_1) : f32[4]@2
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4]@3
    written = aten.copy_.default(primals_1, grad) : f32[4]@0 partitioner_tag=must_be_in_backward
)";
  EXPECT_EQ(never_recomputed(joint_graph(std::string(kBegin) + "return sin | grad")), "");
  EXPECT_EQ(
      never_recomputed(joint_graph(std::string(kBegin) + "more = aten.mul.Tensor(grad, sin) : f32[4]@4\nreturn sin | more")),
      "sin ")
      << "it may be dropped, and recomputed again";
}

}  // namespace
}  // namespace fxcut
