// Memory that verify counts, on graphs whose bytes can be counted by hand.
#include "verify/counted_memory.h"

#include <gtest/gtest.h>

#include "graph_text.h"
#include "verify/bytes.h"
#include "verify/counted_flops.h"

namespace fxcut {
namespace {

using Bytes = std::vector<std::int64_t>;
using Owner = CountedBuffer::Owner;

// All values cross in the order in which they are given; the joint graph's outputs come before them.
CountedMemory count(const JointGraph& joint, const std::string& forward, const std::string& backward) {
  const GraphPair sides = {joint_graph(forward).graph, joint_graph(backward).graph};
  std::vector<CrossingValue> crossings;
  for (std::size_t i = 0; i + joint.num_forward_outputs < output_leaves(sides.forward).size(); ++i) {
    crossings.push_back({joint.num_forward_outputs + i, i, ""});
  }
  return count_memory(joint, sides, crossings);
}

Bytes bytes_of(const CountedMemory& memory) {
  Bytes bytes;
  for (const Int128 at_step : memory.bytes) bytes.push_back(static_cast<std::int64_t>(at_step));
  return bytes;
}

TEST(CountedMemory, ABufferLastsToTheLastUseOfAnyViewOfIt) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder primals_1 : f32[8]@0 static
    g = placeholder tangents_1 : f32[8]@1
    a = aten.exp.default(x) : f32[8]@2
    v = aten.view.default(a, [8]) : f32[8]@2
    b = aten.sin.default(v) : f32[8]@3
    c = aten.cos.default(b) : f32[8]@4
    d = aten.mul.Tensor(g, c) : f32[8]@5
    return c | d)");
  const CountedMemory memory = count(joint, R"(
    x = placeholder primals_1 : f32[8]@0 static
    a = aten.exp.default(x) : f32[8]@2
    v = aten.view.default(a, [8]) : f32[8]@2
    b = aten.sin.default(v) : f32[8]@3
    c = aten.cos.default(b) : f32[8]@4
    return c, c |)",
                                     R"(
    c = placeholder c : f32[8]@4
    g = placeholder tangents_1 : f32[8]@1
    d = aten.mul.Tensor(g, c) : f32[8]@5
    return d |)");
  // a; a; a and b; b and c; c, which the caller keeps | c, g and d; the same
  EXPECT_EQ(bytes_of(memory), (Bytes{32, 32, 64, 64, 32, 96, 96}));
  EXPECT_EQ(memory.between_bytes(), 32);
  EXPECT_EQ(memory.bytes_of(Owner::Parameters), 32);
  EXPECT_EQ(memory.bytes_of(Owner::Inputs), 0);
}

// u, a view of the call that was merged into a, is a view of a.
TEST(CountedMemory, AViewOfAMergedCallIsInTheBufferOfTheOther) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder primals_1 : f32[8]@0
    g = placeholder tangents_1 : f32[8]@1
    a = aten.exp.default(x) : f32[8]@2
    b = aten.exp.default(x) : f32[8]@3
    u = aten.view.default(b, [8]) : f32[8]@3
    c = aten.add.Tensor(a, u) : f32[8]@4
    d = aten.mul.Tensor(g, x) : f32[8]@5
    return c | d)");
  const CountedMemory memory = count(joint, R"(
    x = placeholder primals_1 : f32[8]@0
    a = aten.exp.default(x) : f32[8]@2
    u = aten.view.default(a, [8]) : f32[8]@3
    c = aten.add.Tensor(a, u) : f32[8]@4
    return c, x |)",
                                     R"(
    x = placeholder x : f32[8]@0
    g = placeholder tangents_1 : f32[8]@1
    d = aten.mul.Tensor(g, x) : f32[8]@5
    return d |)");
  EXPECT_EQ(bytes_of(memory), (Bytes{32, 32, 64, 32, 96, 96}));
  EXPECT_EQ(memory.bytes_of(Owner::Inputs), 32);
}

TEST(CountedMemory, StoragesAndViewsAreCountedByTheirSpan) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder primals_1 : f32[4, 4]@0
    row = aten.select.int(x, 0, 0) : f32[4]{4}@0
    return row | None)");
  EXPECT_EQ(bytes_by_storage(joint.graph).at(0), 64);
  EXPECT_EQ(bytes_of_span(joint.graph.nodes[1].value->tensor), 52);
  EXPECT_EQ(bytes_of_elements(joint.graph.nodes[1].value->tensor), 16);
}

std::int64_t flops_of_last_call(const std::string& text) {
  const JointGraph joint = joint_graph(text);
  const Node& call = joint.graph.nodes[joint.graph.size() - 2];
  return static_cast<std::int64_t>(count_flops(joint.graph, call, Release{15}));
}

TEST(CountedFlops, AreTwoForEachCombinationOfIndices) {
  const std::string matrices = "a = placeholder primals_1 : f32[3, 4]@0\nb = placeholder primals_2 : f32[4, 5]@1\n";
  EXPECT_EQ(flops_of_last_call(matrices + "c = aten.mm.default(a, b) : f32[3, 5]@2\nreturn c | None"), 2 * 3 * 4 * 5);
  EXPECT_EQ(flops_of_last_call(matrices + "c = aten.mm.default(b, a) : f32[3, 5]@2\nreturn c | None"), 1);
  EXPECT_EQ(flops_of_last_call(matrices + "c = aten.exp.default(a) : f32[3, 4]@2\nreturn c | None"), 1);
}

}  // namespace
}  // namespace fxcut
