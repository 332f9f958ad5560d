// The memory that each tensor is in.
#include "peak/tensor_memory.h"

#include <gtest/gtest.h>

#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

struct GraphWithMemory : AnalysedGraph {
  using AnalysedGraph::AnalysedGraph;
  TensorIndex tensor(std::string_view name) const { return tensors.begin(index(name)); }

  TensorMemory tensors{analysis, storage_bytes(joint.graph)};
};

constexpr std::string_view kViewsAndTuples = R"(
    primals_1 = placeholder : f32[4, 4]@0
    tangents_1 = placeholder : f32[4, 2]@1
    flat = aten.view.default(primals_1, [16]) : f32[16]@0
    sin = aten.sin.default(primals_1) : f32[4, 4]@2
    t = aten.t.default(sin) : f32[4, 4]{1, 4}@2
    row = aten.select.int(t, 0, 1) : f32[4]{4}@2
    topk = aten.topk.default(t, 2) : tuple(f32[4, 2]@3, i64[4, 2]@4)
    best = operator.getitem(topk, 0) : f32[4, 2]@3
    at = operator.getitem(topk, 1) : i64[4, 2]@4
    drop = aten.native_dropout.default(sin, 0.5, True) : tuple(f32[4, 4]@6, bool[4, 4]@7)
    g = aten.mul.Tensor(tangents_1, best) : f32[4, 2]@5
    return best, at | g
)";

TEST(TensorMemory, ViewsOfViewsAreInTheMemoryOfTheFirst) {
  const GraphWithMemory graph(kViewsAndTuples);
  EXPECT_EQ(graph.tensors.root(graph.tensor("row")), graph.tensor("sin"));
  EXPECT_EQ(graph.tensors.own_bytes(graph.tensor("row")), 0);
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("row")), 4 * 4 * 4) << "all of it stays while the row does";
  EXPECT_EQ(graph.tensors.shares(graph.tensor("sin")), kOwnMemory);
}

TEST(TensorMemory, EachTensorOfATupleHasMemoryOfItsOwn) {
  const GraphWithMemory graph(kViewsAndTuples);
  const std::size_t topk = graph.index("topk");
  ASSERT_EQ(graph.tensors.end(topk) - graph.tensors.begin(topk), 2U);
  EXPECT_EQ(graph.tensors.root(graph.tensor("best")), graph.tensors.begin(topk));
  EXPECT_EQ(graph.tensors.root(graph.tensor("at")), graph.tensors.begin(topk) + 1);
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("topk")), 4 * 2 * 8) << "the larger of both, which is the second";
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("drop")), 4 * 4 * 4) << "the first";
  EXPECT_EQ(graph.tensors.node(graph.tensors.begin(topk) + 1), graph.id("topk"));
}

TEST(TensorMemory, TheCallersMemoryIsNotTheSteps) {
  const GraphWithMemory graph(kViewsAndTuples);
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("primals_1")), 0);
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("flat")), 0) << "a view of an input";
  EXPECT_EQ(graph.tensors.bytes_of(graph.id("tangents_1")), 4 * 2 * 4) << "comes with the backward";
}

}  // namespace
}  // namespace fxcut
