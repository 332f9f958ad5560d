// The message if a limit of saved bytes is not met.
#include "frontier/unmet_limit.h"

#include <gtest/gtest.h>

#include "frontier/recompute_problem.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

// The message where `limit` is not met, the least that was found being 64 bytes, and no choice saving less than `floor`.
std::string told(std::int64_t limit, std::int64_t floor, bool is_proven) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[16]
    tangents_1 = placeholder : f32[16]
    sin = aten.sin.default(primals_1) : f32[16]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[16]
    return sin | grad)");
  const StorageBytes storages = storage_bytes(graph.joint.graph);
  const RecomputeProblem problem = costed_problem(graph.analysis, storages, estimators().front());
  LeastFound least{{KeptStorages(problem.storages.size(), false), 0, 64}, floor};
  least.choice.kept.back() = true;
  const std::string text = unmet_limit(graph.analysis, problem, limit, least, is_proven).what();
  return text.substr(sizeof("fxcut: error: ") - 1, text.find(" (") - sizeof("fxcut: error: ") + 1);
}

TEST(UnmetLimit, IsImpossibleBelowAProvenFloorOnly) {
  EXPECT_EQ(told(32, 64, false), "the forward cannot save as little as 32 bytes: the least possible is 64 bytes");
  EXPECT_EQ(told(32, 48, false), "the forward cannot save as little as 32 bytes: the least found is 64 bytes");
  EXPECT_EQ(told(56, 48, false), "found no decision that saves as little as 56 bytes: the least found is 64 bytes");
  EXPECT_EQ(told(56, 48, true), "the forward cannot save as little as 56 bytes: the least found is 64 bytes");
}

}  // namespace
}  // namespace fxcut
