// The passes after the decision, and what they finally refuse.
#include "finish/finish.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

Finished finished(const std::string& text, const std::vector<std::string>& saved, const FinishingNeeds& needs,
                  const Settings& settings = {}) {
  const AnalysedGraph graph(text, settings);
  std::vector<NodeId> ids;
  for (const std::string& name : saved) ids.push_back(graph.id(name));
  const ForwardBackward sides = plan_forward_backward(graph.joint, graph.users, graph.roles, ids);
  return finish(order(sides, graph.joint, settings, needs), sides, graph.joint, settings, needs);
}

std::string refusal(const std::string& text, const FinishingNeeds& needs) {
  try {
    finished(text, {}, needs);
    return "not refused";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.diagnostics().at(0).message;
  }
}

// The collective of the forward is dead; in the backward a call stands in front of the first gradient.
const std::string kStep = R"(
  primals_1 = placeholder : f32[4]
  tangents_1 = placeholder : f32[4]
  gathered = _c10d_functional.all_reduce.default(primals_1, "sum", "0") : f32[4]
  wait = _c10d_functional.wait_tensor.default(gathered) : f32[4]
  late = aten.sin.default(primals_1) : f32[4]
  grad = aten.neg.default(tangents_1) : f32[4]
  grad_1 = aten.mul.Tensor(grad, late) : f32[4]
  return primals_1 | grad_1)";

TEST(Finish, TheMinCutsBackwardRunsInAutogradsOrder) {
  EXPECT_EQ(names_of(finished(kStep, {"primals_1"}, {}).graphs.backward), "primals_1 tangents_1 grad late grad_1 "
                                                                          "output");
}

TEST(Finish, TheDefaultPartitionersBackwardKeepsItsOrderButForRegions) {
  FinishingNeeds needs;
  needs.partitioner = Partitioner::Default;
  EXPECT_EQ(names_of(finished(kStep, {"primals_1"}, needs).graphs.backward),
            "primals_1 tangents_1 late grad grad_1 output");
  needs.has_regions = true;
  EXPECT_EQ(names_of(finished(kStep, {"primals_1"}, needs).graphs.backward),
            "primals_1 tangents_1 grad late grad_1 output");
}

TEST(Finish, DeadCollectivesGoFromTheDefaultPartitionersGraphs) {
  FinishingNeeds needs;
  EXPECT_EQ(names_of(finished(kStep, {"primals_1"}, needs).graphs.forward), "primals_1 gathered wait output");
  needs.partitioner = Partitioner::Default;
  EXPECT_EQ(names_of(finished(kStep, {"primals_1"}, needs).graphs.forward), "primals_1 output");
}

TEST(Finish, OffloadedValuesAreListedWithTheGraphs) {
  Settings settings;
  settings.enable_activation_offloading = true;
  const std::string text = "primals_1 = placeholder : f32[4] on cuda:0\ntangents_1 = placeholder : f32[4] on cuda:0\n"
                           "loss = aten.sin.default(primals_1) : f32[4] on cuda:0\n"
                           "kept = aten.cos.default(primals_1) : f32[4] on cuda:0 should_offload=true\n"
                           "grad = aten.mul.Tensor(tangents_1, kept) : f32[4] on cuda:0\nreturn loss | grad";
  const Finished result = finished(text, {"kept"}, {}, settings);
  ASSERT_EQ(result.offloads.size(), 1u);
  EXPECT_EQ(result.offloads[0].host_name, "cpu_offload_kept");
  EXPECT_EQ(names_of(result.graphs.forward), "primals_1 loss kept cpu_offload_kept output");
  EXPECT_TRUE(finished(text, {"kept"}, {}).offloads.empty());
}

TEST(Finish, ASideWithoutAnyInputIsRefused) {
  EXPECT_EQ(refusal("full = aten.full.default([4], 1) : f32[4]\ntangents_1 = placeholder : f32[4]\n"
                    "return full | tangents_1", {}),
            "the forward has no input: its only node is 'full'");
  const std::string no_tangents = "primals_1 = placeholder : f32[4]\nfull = aten.full.default([4], 1) : f32[4]\n"
                                  "return primals_1 | full";
  EXPECT_EQ(refusal(no_tangents, {}), "the backward has no input: its only node is 'full'");
  FinishingNeeds needs;
  needs.backward_is_empty = true;
  EXPECT_EQ(refusal("primals_1 = placeholder : f32[4]\nreturn primals_1 | None", needs), "not refused");
}

TEST(Finish, ABarrierTakesNoNameOfARebuiltCallsSubgraph) {
  FinishingNeeds needs;
  needs.partitioner = Partitioner::Default;  // whose backward is not put in another order, which counts names anew
  Settings settings;
  settings.recompute_barrier = true;
  settings.recompute_barrier_operator = "my.subgraph_cd_extract_0.default";
  const std::string text =
      subgraphs_line({{"body", "d0 = placeholder\nd1 = placeholder\nreturn None, d0, d1"}}) + R"(
    primals_1 = placeholder : f32[4]
    primals_2 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    body = get_attr body
    call = higher_order.control_deps((), body, primals_1, primals_2) : tuple(none, f32[4], f32[4])
    on = operator.getitem(call, 1) : f32[4]
    loss = aten.exp.default(on) : f32[4]
    grad = aten.mul.Tensor(tangents_1, on) : f32[4]
    return loss | grad)";
  EXPECT_EQ(names_of(finished(text, {"primals_1"}, needs, settings).graphs.backward),
            "primals_1 tangents_1 subgraph_cd_extract_0 subgraph_cd_extract_1 getitem call on grad output");
}

}  // namespace
}  // namespace fxcut
