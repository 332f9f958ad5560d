// Pairs of a value and its user that become one kernel.
#include "cost/fusibility.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// Whether `user` fuses with `producer` in a graph of these lines.
bool fuses(const std::string& lines, Release release = kNewestRelease) {
  const JointGraph joint = joint_graph("x = placeholder\ny = placeholder\n" + lines + "\nreturn user");
  return Fusibility(joint.graph, release)(id_named(joint.graph, "producer"), id_named(joint.graph, "user"));
}

TEST(Fusible, BothMustBeOfTheClass) {
  EXPECT_TRUE(fuses("producer = aten.sin.default(x)\nuser = aten.cos.default(producer)"));
  EXPECT_FALSE(fuses("producer = aten.mm.default(x, x)\nuser = aten.cos.default(producer)"));
  EXPECT_FALSE(fuses("producer = aten.sin.default(x)\nuser = aten.mm.default(producer, x)"));
  EXPECT_FALSE(fuses("producer = placeholder\nuser = aten.sin.default(producer)"));
}

TEST(Fusible, ACatFusesWithAnything) {
  EXPECT_TRUE(fuses("producer = aten.mm.default(x, x)\nuser = aten.cat.default([producer, x])"));
  EXPECT_TRUE(fuses("producer = placeholder\nuser = aten.cat.default([producer, x])"));
  EXPECT_FALSE(fuses("producer = aten.cat.default([x, x])\nuser = aten.mm.default(producer, x)"));
}

TEST(Fusible, AutoFunctionalizedFusesWithWhatItsOperatorWritesTo) {
  const std::string producer = "producer = aten.mm.default(x, x)\n";
  EXPECT_TRUE(
      fuses(producer + "user = higher_order.auto_functionalized(op(aten.add_.Tensor), self=producer, other=x)"));
  EXPECT_FALSE(
      fuses(producer + "user = higher_order.auto_functionalized(op(aten.add_.Tensor), self=x, other=producer)"));
  EXPECT_TRUE(
      fuses(producer +
            "user = higher_order.auto_functionalized(op(aten._foreach_add_.Scalar), self=[x, producer], scalar=1)"));
}

TEST(Fusible, ATritonKernelFusesWithWhatItClones) {
  const std::string producer = "producer = aten.mm.default(x, x)\n";
  const std::string wrapper =
      "user = higher_order.triton_kernel_wrapper_functional(kernel_idx=0, kwargs={\"in\": x, \"out\": producer}, ";
  EXPECT_TRUE(fuses(producer + wrapper + "tensors_to_clone=[\"out\"])"));
  EXPECT_TRUE(fuses(producer + wrapper + "tensors_to_clone=[\"out\"])", kTorch2_5));
  EXPECT_FALSE(fuses(producer + wrapper + "tensors_to_clone=[\"out\"])", kTorch2_4));
  EXPECT_FALSE(fuses(producer + wrapper + "tensors_to_clone=[\"in\"])"));
}

TEST(Fusible, TritonResultsFuseOnlyWithACat) {
  const std::string item =
      "kernel = higher_order.triton_kernel_wrapper_functional(kernel_idx=0, kwargs={\"out\": x}, "
      "tensors_to_clone=[\"out\"])\n"
      "producer = operator.getitem(kernel, \"out\")\n";
  EXPECT_FALSE(fuses(item + "user = aten.sin.default(producer)"));
  EXPECT_FALSE(fuses(item + "user = aten.sin.default(producer)", kTorch2_6));
  EXPECT_TRUE(fuses(item + "user = aten.sin.default(producer)", kTorch2_5));
  EXPECT_TRUE(fuses(item + "user = aten.cat.default([producer, x])"));
  EXPECT_TRUE(
      fuses("tuple = aten.topk.default(x)\nproducer = operator.getitem(tuple, 0)\nuser = aten.sin.default(producer)"));
}

TEST(Fusible, NothingFusesWithTheOutput) {
  const JointGraph joint = joint_graph("x = placeholder\nproducer = aten.sin.default(x)\nreturn producer");
  EXPECT_FALSE(Fusibility(joint.graph)(id_named(joint.graph, "producer"), id_named(joint.graph, "output")));
}

}  // namespace
}  // namespace fxcut
