// Random operators that run twice draw the same numbers.
#include "finish/rng_state.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

struct Wrapped {
  std::string forward, backward;
};

// The two graphs after wrapping.
Wrapped wrapped(const std::string& forward, const std::string& backward, bool graph_safe = true,
                std::size_t num_symbols = 0) {
  const GraphPair graphs = {joint_graph(forward).graph, joint_graph(backward).graph};
  NamespacePair names = {Namespace(graphs.forward), Namespace(graphs.backward)};
  const GraphPair result = functionalize_rng(graphs, names, {graph_safe}, num_symbols);
  return {text_of(result.forward), text_of(result.backward)};
}

// Two random operators, each on a device.
std::string forward_on(const std::string& device, const std::string& second_device) {
  return "x = placeholder\n"
         "length = placeholder : symint(s0=4)\n"
         "a = aten.bernoulli.default(x) : f32[4] on " +
         device +
         " recompute=MUST_RECOMPUTE\n"
         "b = aten.bernoulli.default(a) : f32[4] on " +
         second_device +
         " recompute=PREFER_RECOMPUTE\n"
         "return b, x, length";
}

constexpr std::string_view kBackward = R"(
  x = placeholder
  tangents_1 = placeholder
  a = aten.bernoulli.default(x) recompute=MUST_RECOMPUTE
  b = aten.bernoulli.default(a) recompute=PREFER_RECOMPUTE
  grad = aten.mul.Tensor(tangents_1, b)
  return grad)";

TEST(RngState, OnTheCpuTheForwardReturnsTheStateFromBefore) {
  const Wrapped graphs = wrapped(forward_on("cpu", "cpu"), std::string(kBackward), true, 1);
  EXPECT_EQ(graphs.forward,
            "x = placeholder\n"
            "length = placeholder\n"
            "run_and_save_rng_state = higher_order.run_and_save_rng_state(op(aten.bernoulli.default), x)\n"
            "getitem = operator.getitem(run_and_save_rng_state, 0)\n"
            "getitem_1 = operator.getitem(run_and_save_rng_state, 1)\n"
            "run_and_save_rng_state_1 = higher_order.run_and_save_rng_state(op(aten.bernoulli.default), getitem_1)\n"
            "getitem_2 = operator.getitem(run_and_save_rng_state_1, 0)\n"
            "getitem_3 = operator.getitem(run_and_save_rng_state_1, 1)\n"
            "return getitem_3, x, getitem, getitem_2, length\n");
  EXPECT_EQ(graphs.backward,
            "x = placeholder\n"
            "rng_state_output_0 = placeholder\n"
            "rng_state_output_1 = placeholder\n"
            "tangents_1 = placeholder\n"
            "run_with_rng_state = higher_order.run_with_rng_state(rng_state_output_0, op(aten.bernoulli.default), x)\n"
            "run_with_rng_state_1 = higher_order.run_with_rng_state(rng_state_output_1, op(aten.bernoulli.default), "
            "run_with_rng_state)\n"
            "grad = aten.mul.Tensor(tangents_1, run_with_rng_state_1)\n"
            "return grad\n");
}

TEST(RngState, OnOneCudaDeviceBothSidesReceiveAGenerator) {
  const Wrapped graphs = wrapped(forward_on("cuda:0", "cuda:0"), std::string(kBackward), true, 1);
  EXPECT_EQ(graphs.forward,
            "x = placeholder\n"
            "length = placeholder\n"
            "fwd_rng_state_0 = placeholder\n"
            "fwd_rng_state_1 = placeholder\n"
            "graphsafe_run_with_rng_state = higher_order.graphsafe_run_with_rng_state(op(aten.bernoulli.default), x, "
            "rng_state=fwd_rng_state_0)\n"
            "graphsafe_run_with_rng_state_1 = higher_order.graphsafe_run_with_rng_state(op(aten.bernoulli.default), "
            "graphsafe_run_with_rng_state, rng_state=fwd_rng_state_1)\n"
            "return graphsafe_run_with_rng_state_1, x, length\n");
  EXPECT_EQ(graphs.backward,
            "x = placeholder\n"
            "tangents_1 = placeholder\n"
            "bwd_rng_state_0 = placeholder\n"
            "bwd_rng_state_1 = placeholder\n"
            "graphsafe_run_with_rng_state = higher_order.graphsafe_run_with_rng_state(op(aten.bernoulli.default), x, "
            "rng_state=bwd_rng_state_0)\n"
            "graphsafe_run_with_rng_state_1 = higher_order.graphsafe_run_with_rng_state(op(aten.bernoulli.default), "
            "graphsafe_run_with_rng_state, rng_state=bwd_rng_state_1)\n"
            "grad = aten.mul.Tensor(tangents_1, graphsafe_run_with_rng_state_1)\n"
            "return grad\n");
}

TEST(RngState, OnSeveralCudaDevicesNoneIsGraphSafe) {
  const Wrapped graphs = wrapped(forward_on("cuda:0", "cuda:1"), std::string(kBackward), true, 1);
  EXPECT_EQ(graphs.forward.find("graphsafe"), std::string::npos) << graphs.forward;
  EXPECT_NE(graphs.backward.find("rng_state_output_1"), std::string::npos) << graphs.backward;
}

TEST(RngState, TheGraphSafeFormCanBeSwitchedOff) {
  const Wrapped graphs = wrapped(forward_on("cuda:0", "cuda:0"), std::string(kBackward), false, 1);
  EXPECT_EQ(graphs.forward.find("graphsafe"), std::string::npos) << graphs.forward;
}

TEST(RngState, CpuAndCudaOperatorsMix) {
  const Wrapped graphs = wrapped(forward_on("cpu", "cuda"), std::string(kBackward), true, 1);
  EXPECT_NE(graphs.forward.find("return graphsafe_run_with_rng_state, x, getitem, length\n"), std::string::npos)
      << graphs.forward;
  EXPECT_EQ(graphs.backward,
            "x = placeholder\n"
            "rng_state_output_0 = placeholder\n"
            "tangents_1 = placeholder\n"
            "bwd_rng_state_1 = placeholder\n"
            "run_with_rng_state = higher_order.run_with_rng_state(rng_state_output_0, op(aten.bernoulli.default), x)\n"
            "graphsafe_run_with_rng_state = higher_order.graphsafe_run_with_rng_state(op(aten.bernoulli.default), "
            "run_with_rng_state, rng_state=bwd_rng_state_1)\n"
            "grad = aten.mul.Tensor(tangents_1, graphsafe_run_with_rng_state)\n"
            "return grad\n");
}

TEST(RngState, OnlyWhatIsTaggedAndStandsInBothIsWrapped) {
  const std::string forward = R"(
    x = placeholder
    untagged = aten.bernoulli.default(x) : f32[4]
    forward_only = aten.bernoulli.default(x) : f32[4] recompute=MUST_RECOMPUTE
    pure = aten.sin.default(x) : f32[4] recompute=MUST_RECOMPUTE
    return untagged, forward_only, pure)";
  const std::string backward = R"(
    x = placeholder
    tangents_1 = placeholder
    untagged = aten.bernoulli.default(x)
    pure = aten.sin.default(x)
    return untagged, pure)";
  const Wrapped graphs = wrapped(forward, backward);
  EXPECT_EQ(graphs.forward, text_of(joint_graph(forward).graph));
  EXPECT_EQ(graphs.backward, text_of(joint_graph(backward).graph));
}

TEST(RngState, ABackwardWithoutGradientsIsRefused) {
  try {
    wrapped(forward_on("cpu", "cpu"), "x = placeholder\na = aten.bernoulli.default(x)\nreturn a");
    FAIL() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("'a'"), std::string::npos) << failure.what();
  }
}

TEST(RngState, TheOutputIsANewNodeWithoutStatesInOlderReleases) {
  const GraphPair graphs = {joint_graph("x = placeholder\nreturn x").graph,
                            joint_graph("x = placeholder\ntangents_1 = placeholder\nreturn x").graph};
  for (const bool renames : {false, true}) {
    NamespacePair names = {Namespace(graphs.forward), Namespace(graphs.backward)};
    const GraphPair result = functionalize_rng(graphs, names, {.graph_safe = true, .renames_output = renames}, 0);
    EXPECT_EQ(names_of(result.forward), renames ? "x output_1" : "x output");
  }
}

}  // namespace
}  // namespace fxcut
