// The backward's side of offloading.

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "offload/sides.h"

namespace fxcut {
namespace {

// The backward of a forward that offloads `a` and `b`.
Graph reloaded(const std::string& backward, OffloadDialect dialect = OffloadDialect::Aten) {
  const JointGraph joint = joint_graph(R"(
    p = placeholder : f32[4] on cuda:0
    a = aten.sin.default(p) : f32[4]{1} on cuda:0 should_offload=true
    b = aten.cos.default(p) : f32[4]{1} on cuda:0 should_offload=true
    return p | a, b)");
  std::vector<OffloadCandidate> candidates = find_offload_candidates(joint.graph, joint);
  Namespace forward_names(joint.graph);
  const Graph forward = copy_to_host(joint.graph, candidates, forward_names, dialect);
  const Graph graph = joint_graph(backward).graph;
  Namespace names(graph);
  return copy_from_host(graph, forward, candidates, names, dialect, kNewestRelease);
}

const std::string kBackward = R"(
  a = placeholder : f32[4]{1} on cuda:0
  tangents_1 = placeholder : f32[4] on cuda:0
  g = aten.neg.default(tangents_1) : f32[4] on cuda:0
  h = aten.mul.Tensor(g, a) : f32[4] on cuda:0
  i = aten.mul.Tensor(h, a) : f32[4] on cuda:0
  return i)";

TEST(CopyFromHost, StandsBeforeTheFirstUse) {
  EXPECT_EQ(text_of(reloaded(kBackward)),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "g = aten.neg.default(tangents_1)\n"
            "gpu_reload_a = prims.device_put.default(cpu_offload_a, cuda:0, non_blocking=True)\n"
            "h = aten.mul.Tensor(g, gpu_reload_a)\n"
            "i = aten.mul.Tensor(h, gpu_reload_a)\n"
            "return i\n");
}

TEST(CopyFromHost, OnAStreamIsStartedAndWaitedForThere) {
  EXPECT_EQ(text_of(reloaded(kBackward, OffloadDialect::Ao)),
            "cpu_offload_a = placeholder\n"
            "tangents_1 = placeholder\n"
            "g = aten.neg.default(tangents_1)\n"
            "async_gpu_reload_a = ao.reload.default(cpu_offload_a, cuda:0, [4], [1])\n"
            "gpu_reload_a = ao.wait_tensor.default(async_gpu_reload_a, cpu_offload_a)\n"
            "h = aten.mul.Tensor(g, gpu_reload_a)\n"
            "i = aten.mul.Tensor(h, gpu_reload_a)\n"
            "return i\n");
}

TEST(CopyFromHost, TheInputIsOnTheHostAndTheCopyOnTheDevice) {
  const Graph graph = reloaded(kBackward);
  EXPECT_EQ(node_named(graph, "cpu_offload_a").value->tensor.device, "cpu");
  EXPECT_TRUE(node_named(graph, "cpu_offload_a").has_new_value);
  EXPECT_EQ(node_named(graph, "gpu_reload_a").value->tensor.device, "cuda:0");
}

TEST(CopyFromHost, TheEarlierInputComesFirstIfTwoShareTheirFirstUse) {
  EXPECT_EQ(names_of(reloaded("b = placeholder : f32[4]\na = placeholder : f32[4]\n"
                              "g = aten.mul.Tensor(a, b) : f32[4]\nreturn g")),
            "cpu_offload_b cpu_offload_a gpu_reload_b gpu_reload_a g output");
}

TEST(CopyFromHost, CopiesOfReturnedValuesPrecedeTheOutput) {
  const std::string backward = "a = placeholder : f32[4]{1} on cuda:0\nt = placeholder\ng = aten.neg.default(t)\n"
                               "return g, a";
  EXPECT_EQ(text_of(reloaded(backward)),
            "cpu_offload_a = placeholder\n"
            "t = placeholder\n"
            "g = aten.neg.default(t)\n"
            "gpu_reload_a = prims.device_put.default(cpu_offload_a, cuda:0, non_blocking=True)\n"
            "return g, gpu_reload_a\n");
}

TEST(CopyFromHost, UnusedCopiesPrecedeTheOutputOrAreRefusedOnAStream) {
  const std::string backward = "a = placeholder : f32[4]{1} on cuda:0\nt = placeholder\nreturn t";
  EXPECT_EQ(names_of(reloaded(backward)), "cpu_offload_a t gpu_reload_a output");
  try {
    reloaded(backward, OffloadDialect::Ao);
    FAIL() << "nobody waits for the copy";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().at(0).message, "'a' is offloaded, but the backward does not use it");
  }
}

TEST(CopyFromHost, ATakenNameGetsANumber) {
  EXPECT_EQ(names_of(reloaded("a = placeholder : f32[4]\ngpu_reload_a = placeholder : f32[4]\n"
                              "g = aten.mul.Tensor(a, gpu_reload_a) : f32[4]\nreturn g")),
            "cpu_offload_a gpu_reload_a gpu_reload_a_1 g output");
}

}  // namespace
}  // namespace fxcut
