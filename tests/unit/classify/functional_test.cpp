// Graphs that only compute.
#include "classify/functional.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The name of the first node that writes elsewhere than into an input.
std::string mutation(std::string_view lines, Release release = kNewestRelease) {
  JointGraph joint = joint_graph("x = placeholder\n" + std::string(lines) + "\nreturn x");
  joint.torch.release = release;
  const auto found = find_mutation(joint);
  return found ? joint.graph[*found].name : "";
}

TEST(Functional, NewValuesOfInputsAreAllowed) {
  EXPECT_EQ(mutation("a = aten.sin.default(x)\nb = aten.copy_.default(x, a)"), "");
  EXPECT_EQ(mutation("a = aten.sin.default(x)\nb = aten.copy_.default(a, x)"), "b") << "no input";
  EXPECT_EQ(mutation("b = aten.set_.source_Tensor(x, x)"), "");
  EXPECT_EQ(mutation("b = aten.set_.default(x)"), "b") << "another overload";
}

TEST(Functional, OtherMutableOperatorsAreNot) {
  EXPECT_EQ(mutation("a = aten.add_.Tensor(x, x)"), "a");
  EXPECT_EQ(mutation("a = _c10d_functional.wait_tensor.default(x)"), "") << "it writes nothing";
  EXPECT_EQ(mutation("a = aten.bernoulli.default(x)"), "");
}

TEST(Functional, ShallowCopiesIntoInputsAreAllowedSince2_15) {
  EXPECT_EQ(mutation("a = aten.shallow_copy_data_.default(x, x)", Release{13}), "a");
  EXPECT_EQ(mutation("a = aten.shallow_copy_data_.default(x, x)", Release{15}), "");
}

TEST(Functional, OnlyRegionsMakeTheDefaultPartitionerFallBack) {
  EXPECT_FALSE(must_fall_back_to_min_cut(joint_graph("x = placeholder\na = aten.add_.Tensor(x, x)\nreturn a")));
  EXPECT_TRUE(must_fall_back_to_min_cut(
      joint_graph("x = placeholder\na = aten.add_.Tensor(x, x)\nb = aten.sin.default(a) recompute=PREFER_RECOMPUTE\n"
                  "return b")));
}

}  // namespace
}  // namespace fxcut
