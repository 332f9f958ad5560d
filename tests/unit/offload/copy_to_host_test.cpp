// The forward's side of offloading: where copies stand, and what is refused.
#include "offload/sides.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// The forward that copies marked values; nodes after the | in `return` are saved.
std::string copied(const std::string& text, OffloadDialect dialect = OffloadDialect::Aten) {
  const JointGraph joint = joint_graph(text);
  std::vector<OffloadCandidate> candidates = find_offload_candidates(joint.graph, joint);
  Namespace names(joint.graph);
  const Graph forward = copy_to_host(joint.graph, candidates, names, dialect);
  require_plain_names(forward, candidates);
  return text_of(forward);
}

std::string refusal(const std::string& text) {
  try {
    return "not refused: " + copied(text);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.diagnostics().at(0).message;
  }
}

const std::string kForward = R"(
  p = placeholder : f32[4]
  a = aten.sin.default(p) : f32[4] should_offload=true
  b = aten.cos.default(a) : f32[4]
  c = aten.exp.default(b) : f32[4]
  return c | a)";

TEST(CopyToHost, StandsBehindTheLastUseAndIsReturned) {
  EXPECT_EQ(copied(kForward),
            "p = placeholder\n"
            "a = aten.sin.default(p)\n"
            "b = aten.cos.default(a)\n"
            "cpu_offload_a = prims.device_put.default(a, cpu, non_blocking=True)\n"
            "c = aten.exp.default(b)\n"
            "return c, cpu_offload_a\n");
}

TEST(CopyToHost, OnAStreamIsWaitedForAtOnce) {
  EXPECT_EQ(copied(kForward, OffloadDialect::Ao),
            "p = placeholder\n"
            "a = aten.sin.default(p)\n"
            "b = aten.cos.default(a)\n"
            "async_cpu_offload_a = ao.offload.default(a)\n"
            "cpu_offload_a = ao.wait_tensor.default(async_cpu_offload_a, a)\n"
            "c = aten.exp.default(b)\n"
            "return c, cpu_offload_a\n");
}

TEST(CopyToHost, UsesThroughViewsCountAndThoseThroughOthersDoNot) {
  EXPECT_EQ(copied(R"(
    p = placeholder : f32[4]
    a = aten.sin.default(p) : f32[4] should_offload=true
    view = aten.view.default(a, [2, 2]) : f32[2, 2]
    deeper = aten.view.default(view, [4]) : f32[4]
    used = aten.cos.default(deeper) : f32[4]
    later = aten.exp.default(used) : f32[4]
    return later | a)"),
            "p = placeholder\n"
            "a = aten.sin.default(p)\n"
            "view = aten.view.default(a, [2, 2])\n"
            "deeper = aten.view.default(view, [4])\n"
            "used = aten.cos.default(deeper)\n"
            "cpu_offload_a = prims.device_put.default(a, cpu, non_blocking=True)\n"
            "later = aten.exp.default(used)\n"
            "return later, cpu_offload_a\n");
}

TEST(CopyToHost, UnusedValuesAreCopiedRightAway) {
  EXPECT_EQ(copied("p = placeholder : f32[4] should_offload=true\nq = placeholder : f32[4]\nreturn q | p"),
            "p = placeholder\n"
            "cpu_offload_p = prims.device_put.default(p, cpu, non_blocking=True)\n"
            "q = placeholder\n"
            "return q, cpu_offload_p\n");
}

TEST(CopyToHost, TheLaterOutputIsCopiedFirstIfTwoShareTheirLastUse) {
  EXPECT_EQ(copied(R"(
    p = placeholder : f32[4] should_offload=true
    q = placeholder : f32[4] should_offload=true
    c = aten.mul.Tensor(p, q) : f32[4]
    return c | p, q)"),
            "p = placeholder\n"
            "q = placeholder\n"
            "c = aten.mul.Tensor(p, q)\n"
            "cpu_offload_q = prims.device_put.default(q, cpu, non_blocking=True)\n"
            "cpu_offload_p = prims.device_put.default(p, cpu, non_blocking=True)\n"
            "return c, cpu_offload_p, cpu_offload_q\n");
}

TEST(CopyToHost, IsMadeOnceOfWhatIsReturnedTwice) {
  EXPECT_EQ(copied("p = placeholder : f32[4] should_offload=true\nq = placeholder : f32[4]\nreturn q | p, p"),
            "p = placeholder\n"
            "cpu_offload_p = prims.device_put.default(p, cpu, non_blocking=True)\n"
            "q = placeholder\n"
            "return q, cpu_offload_p, cpu_offload_p\n");
}

TEST(CopyToHost, AConstantAmongTheOutputsIsRefused) {
  EXPECT_EQ(refusal("p = placeholder : f32[4] should_offload=true\nreturn None | p"),
            "output 0 of the forward, in 'output', is a constant: offloading takes graphs that return nodes only");
}

TEST(CopyToHost, AValueThatIsNoTensorIsRefused) {
  EXPECT_EQ(refusal("p = placeholder : symint(s0=4) should_offload=true\nq = placeholder\nreturn q | p"),
            "'p' is to be offloaded, but its value is not a tensor");
}

TEST(CopyToHost, NamesThatLookLikeThoseOfCopiesAreRefused) {
  EXPECT_TRUE(refusal("cpu_offload_p = placeholder : f32[4]\nq = placeholder : f32[4] should_offload=true\n"
                      "return cpu_offload_p | q")
                  .starts_with("'cpu_offload_p' cannot cross to the backward while values are offloaded"))
      << "an output of the forward";
  EXPECT_TRUE(refusal("p = placeholder : f32[4]\nx_cpu_offload_q = placeholder : f32[4] should_offload=true\n"
                      "return p | x_cpu_offload_q")
                  .starts_with("'x_cpu_offload_q' cannot cross"))
      << "the value itself";
  EXPECT_TRUE(refusal("p = placeholder : f32[4] should_offload=true\ncpu_offload_p = aten.sin.default(p) : f32[4]\n"
                      "q = aten.cos.default(p) : f32[4]\nreturn q | p")
                  .starts_with("'p' cannot cross"))
      << "its copy's name is taken, so that it is called cpu_offload_p_1";
}

TEST(SinkWaits, PutsTheWaitsForCopiesToTheHostAtTheEnd) {
  EXPECT_EQ(names_of(sink_waits(joint_graph(R"(
    p = placeholder
    start_1 = ao.offload.default(p)
    wait_1 = ao.wait_tensor.default(start_1, p)
    a = aten.sin.default(p)
    start_2 = ao.offload.default(a)
    wait_2 = ao.wait_tensor.default(start_2, a)
    back = ao.reload.default(p, device(cuda:0), [4], [1])
    wait_3 = ao.wait_tensor.default(back, p)
    b = aten.cos.default(a)
    return b, wait_1, wait_2, wait_3)").graph)),
            "p start_1 a start_2 back wait_3 b wait_1 wait_2 output");
}

}  // namespace
}  // namespace fxcut
