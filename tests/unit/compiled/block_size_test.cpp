// The sizes of blocks: by their tensors, and by the calls of the FX graph that may have made them.
#include "compiled/block_size.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "python_text/graph_source.h"

namespace fxcut {
namespace {

MemoryBlock block_of(std::string_view dtype, Extents shape, Extents stride) {
  MemoryBlock block;
  block.dtype = find_dtype(dtype);
  block.shape = std::move(shape);
  block.stride = std::move(stride);
  return block;
}

std::optional<std::int64_t> settled_bytes(MemoryBlock block) {
  settle_size(block, SizeSource::Assertion);
  EXPECT_EQ(block.size_source, block.size_bytes ? SizeSource::Assertion : SizeSource::Unknown);
  return block.size_bytes;
}

TEST(SettleSize, ReachesFromTheFirstToTheLastElement) {
  EXPECT_EQ(settled_bytes(block_of("float32", {2, 3}, {3, 1})), 6 * 4);
  EXPECT_EQ(settled_bytes(block_of("float32", {2, 3}, {8, 1})), 11 * 4) << "rows apart: the gap between them counts";
  EXPECT_EQ(settled_bytes(block_of("bfloat16", {5, 4}, {0, 1})), 4 * 2) << "one row, expanded";
  EXPECT_EQ(settled_bytes(block_of("int64", {}, {})), 8);
  EXPECT_EQ(settled_bytes(block_of("float32", {7, 0}, {1, 1})), 0);
}

TEST(SettleSize, IsUnknownWhereItIsNoNumberOfBytes) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(settled_bytes(block_of("uint8", {kLargest}, {1})), kLargest);
  EXPECT_EQ(settled_bytes(block_of("float16", {kLargest}, {1})), std::nullopt) << "its bytes do not fit";
  EXPECT_EQ(settled_bytes(block_of("uint8", {kLargest, 2}, {2, 1})), std::nullopt) << "its elements do not fit";
  EXPECT_EQ(settled_bytes(block_of("uint8", {4, 4}, {1})), std::nullopt) << "a stride is missing";
  EXPECT_EQ(settled_bytes(block_of("uint8", {4}, {-1})), std::nullopt);
}

TEST(SettleSize, KeepsWhatWasKnownWhereTheDtypeIsMissing) {
  MemoryBlock block = block_of("no dtype", {4}, {1});
  block.size_bytes = 12;
  block.size_source = SizeSource::Wrapper;
  settle_size(block, SizeSource::Assertion);
  EXPECT_EQ(block.size_bytes, 12);
  EXPECT_EQ(block.size_source, SizeSource::Wrapper);
}

TEST(EndsLater, ComparesTheLastElements) {
  const MemoryBlock block = block_of("float32", {4, 6}, {6, 1});
  EXPECT_FALSE(ends_later({4, 3}, {6, 1}, block)) << "a narrower view";
  EXPECT_FALSE(ends_later({24}, {1}, block)) << "the same, flat";
  EXPECT_TRUE(ends_later({25}, {1}, block));
  EXPECT_TRUE(ends_later({1}, {1}, MemoryBlock())) << "nothing is known of the block";
}

constexpr std::string_view kPrintedGraph = R"(class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[4, 8][8, 1]cuda:0", arg1_1: "f32[8, 8][8, 1]cuda:0"):
        # File: model.py:7 in forward, code: y = x @ w
        mm: "f32[4, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(arg0_1, arg1_1)
        mm_1: "f32[4, 8][8, 1]cuda:0" = torch.ops.aten.mm.default(mm, arg1_1)
        bmm: "f32[2, 3, 4][12, 4, 1]cuda:0" = torch.ops.aten.bmm.default(arg0_1, arg1_1)
        bmm_1: "bf16[5, 3, 4][12, 4, 1]cuda:0" = torch.ops.aten.bmm.default(arg0_1, arg1_1)
        topk = torch.ops.aten.topk.default(mm_1, 2)
        # File: model.py:9 in forward, code: best, at = y.topk(2)
        getitem: "f32[4, 2][2, 1]cuda:0" = topk[0]
        getitem_1: "i64[4, 2][2, 1]cuda:0" = topk[1]
        return (mm_1, getitem, getitem_1)
)";

GraphFacts facts_of(std::string_view text) { return GraphFacts(split_lines(text), "log", {}); }

TEST(GraphFacts, KnowTheCallAndTheLineOfEachValue) {
  const GraphFacts facts = facts_of(kPrintedGraph);
  EXPECT_EQ(facts.why_not(), "");
  ASSERT_NE(facts.find("getitem_1"), nullptr);
  EXPECT_EQ(facts.find("getitem_1")->target, "torch.ops.aten.topk.default") << "that of the call whose item it is";
  EXPECT_EQ(facts.find("getitem_1")->item, 1U);
  EXPECT_EQ(facts.find("getitem")->source, "model.py:9");
  EXPECT_FALSE(facts.find("topk")->tensor.has_value()) << "a tuple";
  EXPECT_EQ(facts.find("arg0_1")->target, "");
  EXPECT_EQ(facts.find("nobody"), nullptr);
  EXPECT_EQ(facts.results_of("torch.ops.aten.mm.default", std::nullopt).size(), 2U);
  EXPECT_EQ(facts.results_of("torch.ops.aten.topk.default", 0).size(), 1U);
  EXPECT_TRUE(facts.results_of("", std::nullopt).empty()) << "inputs have no maker to be found by";
}

TEST(GraphFacts, SayWhyTheyAreMissing) {
  const GraphFacts facts = facts_of("class GraphModule(torch.nn.Module):\n    def forward(self, x):\n        y = = x\n");
  EXPECT_EQ(facts.find("x"), nullptr);
  EXPECT_TRUE(facts.why_not().starts_with("its graph cannot be read: log:3")) << facts.why_not();
}

TEST(SettleByCalls, TakesTheSizeThatAllCallsAgreeOn) {
  const GraphFacts facts = facts_of(kPrintedGraph);
  MemoryBlock product;
  settle_by_calls(product, facts, "torch.ops.aten.mm.default", std::nullopt);
  EXPECT_EQ(product.size_bytes, 4 * 8 * 4);
  EXPECT_EQ(product.size_source, SizeSource::Graph);
  EXPECT_EQ(product.device, "cuda");
  EXPECT_EQ(product.node, "") << "it may be either of two";

  MemoryBlock positions;
  settle_by_calls(positions, facts, "torch.ops.aten.topk.default", 1);
  EXPECT_EQ(positions.size_bytes, 4 * 2 * 8);
  EXPECT_EQ(positions.node, "getitem_1");
  EXPECT_EQ(positions.source, "model.py:9");

  MemoryBlock batched;
  settle_by_calls(batched, facts, "torch.ops.aten.bmm.default", std::nullopt);
  EXPECT_EQ(batched.size_bytes, std::nullopt) << "two calls of two sizes";
}

TEST(SettleDtypeByCalls, TakesThatOfTheCallsOfItsShape) {
  const GraphFacts facts = facts_of(kPrintedGraph);
  MemoryBlock block;
  block.shape = Extents{5, 3, 4};
  block.stride = Extents{16, 4, 1};
  settle_dtype_by_calls(block, facts, "torch.ops.aten.bmm.default", std::nullopt);
  EXPECT_EQ(block.dtype, find_dtype("bfloat16"));
  EXPECT_EQ(block.size_bytes, (4 * 16 + 2 * 4 + 3 + 1) * 2) << "by the strides that were asserted, not the graph's";
  EXPECT_EQ(block.node, "bmm_1");

  MemoryBlock other;
  other.shape = Extents{6, 3, 4};
  settle_dtype_by_calls(other, facts, "torch.ops.aten.bmm.default", std::nullopt);
  EXPECT_EQ(other.dtype, nullptr) << "no call makes that shape";
}

}  // namespace
}  // namespace fxcut
