// The values that are certainly in memory in compiled code: between the sides, and while the backward calls a library.
#include "peak/compiled_moments.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/peak/simulated_graph.h"

namespace fxcut {
namespace {

// A value has 400 bytes, which a GPU keeps in a block of 512.
std::string concatenating(std::string_view device, std::string_view also_reads_a = "") {
  std::string text = R"(
    primals_1 = placeholder : f32[100]
    tangents_1 = placeholder : f32[200]
    a = aten.sin.default(primals_1) : f32[100]@2
    b = aten.cos.default(primals_1) : f32[100]@3
    v = aten.view.default(a, [10, 10]) : f32[10, 10]@2
    whole = aten.cat.default([a, b]) : f32[200]@4
)" + std::string(also_reads_a) +
                     R"(    squared = aten.mul.Tensor(whole, whole) : f32[200]@5
    g = aten.mul.Tensor(tangents_1, whole) : f32[200]@7
    return squared | g
)";
  for (std::size_t at = text.find("\n    "); !device.empty() && at != text.npos; at = text.find("\n    ", at + 1)) {
    const std::size_t end = text.find('\n', at + 1);
    if (text.substr(at, end - at).find(" : ") != text.npos) text.insert(end, " on " + std::string(device));
  }
  return text;
}

std::int64_t certain_bytes(const SimulatedGraph& graph, const std::vector<std::string_view>& names) {
  std::vector<NodeId> nodes;
  for (const std::string_view name : names) nodes.push_back(graph.id(name));
  return CertainBuffers(graph.analysis, graph.problem).of_nodes(nodes);
}

TEST(CertainBuffers, ViewsAreCountedWithWhatTheyAreViewsOfAndInputsNot) {
  const SimulatedGraph graph(concatenating(""));
  EXPECT_EQ(certain_bytes(graph, {"a"}), 400);
  EXPECT_EQ(certain_bytes(graph, {"a", "v", "a"}), 400);
  EXPECT_EQ(certain_bytes(graph, {"a", "b"}), 800);
  EXPECT_EQ(certain_bytes(graph, {"primals_1"}), 0);
  EXPECT_EQ(certain_bytes(graph, {"tangents_1"}), 800);
}

TEST(CertainBuffers, TakeWholeBlocksOfAGpu) {
  const SimulatedGraph graph(concatenating("cuda:0"));
  EXPECT_EQ(certain_bytes(graph, {"a"}), 512);
  EXPECT_EQ(certain_bytes(graph, {"a", "b", "tangents_1"}), 512 + 512 + 1024);
}

TEST(CertainBuffers, AConcatenationCountsWhatItHasBesidesItsTerms) {
  const SimulatedGraph alone(concatenating(""));
  EXPECT_EQ(certain_bytes(alone, {"whole"}), 800) << "nothing else reads its terms: they are gone, or slices of it";
  const SimulatedGraph beside(concatenating("", "    other = aten.neg.default(v) : f32[10, 10]\n"));
  EXPECT_EQ(certain_bytes(beside, {"whole"}), 400) << "a may be a slice of it";
  EXPECT_EQ(certain_bytes(beside, {"whole", "a"}), 800);
}

constexpr std::string_view kLayer = R"(
    primals_1 = placeholder : f32[8, 8]
    primals_2 = placeholder : f32[8, 8]
    tangents_1 = placeholder : f32[8, 8]
    mm = aten.mm.default(primals_1, primals_2) : f32[8, 8]
    act = aten.sigmoid.default(mm) : f32[8, 8]
    unread = aten.mm.default(tangents_1, tangents_1) : f32[8, 8]
    back = aten.mul.Tensor(tangents_1, act) : f32[8, 8]
    g = aten.mm.default(back, primals_2) : f32[8, 8]
    twice = aten.add.Tensor(g, primals_1) : f32[8, 8]
    return act | twice
)";
constexpr std::int64_t kMatrixBytes = 256;

TEST(CompiledMoments, AreTheLibraryCallsThatTheGradientsNeed) {
  const SimulatedGraph graph(kLayer);
  const CompiledMoments moments(graph.analysis, graph.problem, graph.simulation);
  EXPECT_EQ(moments.calls(), std::vector<NodeId>{graph.id("g")});
}

TEST(CompiledMoments, BetweenTheSidesOutputsAndTangentsAreInMemory) {
  const SimulatedGraph graph(kLayer);
  const CertainMoment moment = CompiledMoments(graph.analysis, graph.problem, graph.simulation).between();
  EXPECT_EQ(moment.other_bytes, 2 * kMatrixBytes);
  EXPECT_EQ(graph.problem.storages[graph.storage("act")].bytes, kMatrixBytes);
  EXPECT_EQ(moment.problem.items[graph.item("act")].storage, kFreeStorage) << "the output is there, whether it is saved or not";
  EXPECT_EQ(moment.problem.storages[graph.storage("mm")].bytes, kMatrixBytes);
}

TEST(CompiledMoments, DuringACallItsMatricesAreInMemoryAndWhatIsReadLaterIsNeeded) {
  const SimulatedGraph graph(kLayer);
  const CertainMoment moment = CompiledMoments(graph.analysis, graph.problem, graph.simulation).at(graph.id("g"));
  EXPECT_EQ(moment.other_bytes, 2 * kMatrixBytes) << "back and g; the tangent is not read any more";
  EXPECT_FALSE(moment.problem.items[graph.item("act")].demanded) << "it was read before";
  EXPECT_TRUE(moment.problem.items[graph.item("primals_1")].demanded) << "it is read after the call";
  EXPECT_TRUE(moment.problem.items[graph.item("primals_2")].demanded) << "the call reads it";
}

}  // namespace
}  // namespace fxcut
