// The memory that a step holds, and for how long. A tensor f32[4] takes 16 bytes.
#include "memory/lifetimes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "graph_text.h"
#include "memory/memory_profile.h"

namespace fxcut {
namespace {

struct TwoGraphs {
  std::string forward;
  std::string backward = "return None";
  std::vector<CarriedValue> carried = {};
  MergedStorages merged = {};
};

MemoryProfile profile(const TwoGraphs& given) {
  const GraphPair graphs = {joint_graph(given.forward).graph, joint_graph(given.backward).graph};
  StorageBytes storages = storage_bytes(graphs.forward);
  for (const auto& [storage, bytes] : storage_bytes(graphs.backward))
    storages[storage] = std::max(storages[storage], bytes);
  return profile_memory(find_lifetimes(graphs, given.carried, storages, given.merged));
}

// "node bytes" a step, forward then backward.
std::string curve(const TwoGraphs& given) {
  const MemoryProfile memory = profile(given);
  const GraphPair graphs = {joint_graph(given.forward).graph, joint_graph(given.backward).graph};
  std::string text;
  for (std::size_t s = 0; s < memory.steps.size(); ++s) {
    const Step& step = memory.steps[s];
    const Graph& graph = step.side == Side::Forward ? graphs.forward : graphs.backward;
    text += fmt::format("{}{} {}", s == 0 ? "" : ", ", graph[step.node].name, memory.curve[s].bytes);
  }
  return text;
}

TEST(Lifetimes, MemoryIsFreedBehindItsLastUse) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    b = aten.sin.default(a) : f32[4]@2
    c = aten.sin.default(b) : f32[4]@3
    return c)"}),
            "a 16, b 32, c 32, output 16, output 16");
}

// `collective` gathers or reduces a; another call runs before the wait.
std::string waited_for(std::string_view collective) {
  return "x = placeholder : f32[4]@0\na = aten.sin.default(x) : f32[4]@1\n" + std::string(collective) +
         "b = aten.cos.default(x) : f32[4]@4\nc = _c10d_functional.wait_tensor.default(y) : f32[4]@3\n"
         "d = aten.add.Tensor(b, c) : f32[4]@5\nreturn d";
}

TEST(Lifetimes, InputsOfACollectiveAreFreedAfterItsWait) {
  EXPECT_EQ(curve({waited_for("y = _c10d_functional.reduce_scatter_tensor.default(a, \"sum\", 1, \"0\") : f32[4]@3\n")}),
            "a 16, y 32, b 48, c 48, d 48, output 16, output 16");
  EXPECT_EQ(curve({waited_for("t = _c10d_functional.all_gather_into_tensor_coalesced.default([a], 1, \"0\") : tuple(f32[4]@3)\n"
                              "y = operator.getitem(t, 0) : f32[4]@3\n")}),
            "a 16, t 32, y 32, b 48, c 48, d 48, output 16, output 16");
}

TEST(Lifetimes, AnAllReduceWorksOnACopy) {
  EXPECT_EQ(curve({waited_for("y = _c10d_functional.all_reduce.default(a, \"sum\", \"0\") : f32[4]@3\n")}),
            "a 16, y 32, b 32, c 32, d 48, output 16, output 16");
}

TEST(Lifetimes, UnusedResultsAreFreedAtOnce) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    dead = my.effect.default(x) : f32[4]@1
    b = aten.sin.default(x) : f32[4]@2
    return b)"}),
            "dead 16, b 16, output 16, output 16");
}

TEST(Lifetimes, AViewTakesNothingAndKeepsWhatItViews) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    v = aten.view.default(a, [2, 2]) : f32[2, 2]@1
    b = aten.sin.default(x) : f32[4]@2
    c = aten.add.Tensor(v, b) : f32[4]@3
    return c)"}),
            "a 16, v 16, b 32, c 48, output 16, output 16");
}

TEST(Lifetimes, AStorageIsAsLargeAsTheLargestValueInIt) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]{1}@1
    wide = aten.as_strided.default(a, [2, 4], [8, 1]) : f32[2, 4]{8, 1}@1
    return a)"}),
            "a 48, wide 48, output 48, output 48");
}

TEST(Lifetimes, AViewOfARepeatThatWasMergedIsAViewOfTheFirst) {
  const std::string forward = R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    view_of_b = aten.view.default(a, [2, 2]) : f32[2, 2]@2
    return view_of_b)";
  EXPECT_EQ(curve({.forward = forward, .merged = {{2, 1}}}), "a 16, view_of_b 16, output 16, output 16");
  EXPECT_EQ(curve({.forward = forward}), "a 16, view_of_b 32, output 16, output 16");
}

TEST(Lifetimes, ParametersAndOtherInputsCountApart) {
  const MemoryProfile memory = profile({R"(
    w = placeholder : f32[100]@0 static
    x = placeholder : f32[10]@1
    half = placeholder : f32[5]@1
    v = aten.view.default(w, [10, 10]) : f32[10, 10]@0
    y = aten.mul.Tensor(v, x) : f32[10]@2
    return y)"});
  EXPECT_EQ(memory.static_bytes, 400);
  EXPECT_EQ(memory.input_bytes, 40) << "of two inputs in one storage";
  EXPECT_TRUE(memory.peak_bytes() == 40);
}

TEST(Lifetimes, AnInputInTheStorageOfAParameterIsNoOtherInput) {
  const MemoryProfile memory = profile({R"(
    part = placeholder : f32[5]@0
    w = placeholder : f32[10]@0 static
    y = aten.mul.Tensor(part, w) : f32[5]@1
    return y)"});
  EXPECT_EQ(memory.static_bytes, 40);
  EXPECT_EQ(memory.input_bytes, 0);
}

constexpr std::string_view kForward = R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    b = aten.sin.default(a) : f32[100]@2
    return b, a)";

TEST(Lifetimes, SavedValuesLiveToTheirLastUseInTheBackwardAndOutputsToItsEnd) {
  EXPECT_EQ(curve({std::string(kForward),
                   R"(
    a = placeholder : f32[4]@1
    tangents_1 = placeholder : f32[1]@3
    g = aten.mul.Tensor(tangents_1, a) : f32[2]@4
    h = aten.sin.default(g) : f32[2]@5
    return h)",
                   {{1, 0}}}),
            "a 16, b 416, output 416, g 428, h 420, output 412")
      << "400 of b and 4 of the tangent throughout";
}

TEST(Lifetimes, RecomputedValuesLiveASecondTime) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    v = aten.view.default(a, [2, 2]) : f32[2, 2]@1
    return v, x)",
                   R"(
    v = placeholder : f32[2, 2]@1
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    g = aten.mul.Tensor(a, v) : f32[4]@2
    return g)",
                   {{0, 0}, {1, 1}}}),
            "a 16, v 16, output 16, a 32, g 48, output 16");
}

TEST(Lifetimes, ItemsOfATupleAreFreedOneByOne) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    t = aten.topk.default(x, 4) : tuple(f32[4]@1, i64[4])
    values = operator.getitem(t, 0) : f32[4]@1
    indices = operator.getitem(t, 1) : i64[4]
    b = aten.sin.default(values) : f32[4]@3
    c = aten.sin.default(indices) : f32[4]@4
    return b, c)"}),
            "t 48, values 48, indices 48, b 64, c 64, output 32, output 32");
}

TEST(Lifetimes, ItemsOfATupleMayShareAnInputsMemory) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    t = aten.split.Tensor(a, 2) : tuple(f32[2]@1, f32[2]@1)
    first = operator.getitem(t, 0) : f32[2]@1
    b = aten.cos.default(first) : f32[2]@2
    return b)"}),
            "a 16, t 16, first 16, b 24, output 8, output 8");
}

TEST(Lifetimes, SymbolsGeneratorsAndSubgraphsTakeNothing) {
  EXPECT_EQ(curve({R"(
    s0 = placeholder : symint(s0=4)
    generator = placeholder : other(Generator)
    x = placeholder : f32[s0=4]@0
    n = operator.mul(s0, 2) : symint(2*s0=8)
    a = higher_order.graphsafe_run_with_rng_state(op(aten.rand_like.default), x, rng_state=generator) : f32[s0=4]@1
    return a, n)"}),
            "n 0, a 16, output 16, output 16");
}

TEST(Lifetimes, AWaitForACollectiveReturnsItsResult) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    all = _c10d_functional.all_gather_into_tensor.default(x, 8, "0") : f32[32]@1
    done = _c10d_functional.wait_tensor.default(all) : f32[32]@2
    half = aten.slice.Tensor(done, 0, 0, 16) : f32[16]@2
    return half)"}),
            "all 128, done 128, half 128, output 128, output 128");
}

TEST(Lifetimes, CoalescedCollectivesReturnTensorsThatEndOneByOne) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    y = placeholder : f32[2]@1
    both = _c10d_functional.all_gather_into_tensor_coalesced.default([x, y], 8, "0") : tuple(f32[32]@2, f32[16]@3)
    first = operator.getitem(both, 0) : f32[32]@2
    second = operator.getitem(both, 1) : f32[16]@3
    a = _c10d_functional.wait_tensor.default(first) : f32[32]@4
    b = _c10d_functional.wait_tensor.default(second) : f32[16]@5
    s = aten.sum.default(a) : f32[1]@6
    t = aten.sum.default(b) : f32[1]@7
    return s, t)"}),
            "both 192, first 192, second 192, a 192, b 192, s 196, t 72, output 8, output 8");
}

TEST(Lifetimes, CollectivesInPlaceTakeNothing) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    a = aten.sin.default(x) : f32[4]@1
    r = _c10d_functional.all_reduce_.default(a, "sum", "0") : f32[4]@1
    done = _c10d_functional.wait_tensor.default(r) : f32[4]@1
    b = aten.sin.default(done) : f32[4]@2
    return b)"}),
            "a 16, r 16, done 16, b 32, output 16, output 16");
}

// As in a run under gloo; its trace has a storage of its own for `all`.
TEST(Lifetimes, ACollectiveWithAnOutReturnsIt) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    out = aten.empty.memory_format([32]) : f32[32]@1
    all = _c10d_functional.all_gather_into_tensor_out.default(x, 8, "0", out=out) : f32[32]@2
    done = _c10d_functional.wait_tensor.default(all) : f32[32]@3
    return done)"}),
            "out 128, all 128, done 128, output 128, output 128");
}

TEST(Lifetimes, AWaitForSeveralTensorsReturnsEach) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0
    y = placeholder : f32[8]@1
    all = _c10d_functional.all_gather_into_tensor_coalesced.default([x, y], 2, "0") : tuple(f32[8]@2, f32[16]@3)
    a = operator.getitem(all, 0) : f32[8]@2
    b = operator.getitem(all, 1) : f32[16]@3
    done = _c10d_functional.wait_tensors.default([a, b]) : tuple(f32[8]@2, f32[16]@3)
    c = operator.getitem(done, 0) : f32[8]@2
    s = aten.sum.default(c) : f32[1]@4
    return s)"}),
            "all 96, a 96, b 96, done 96, c 96, s 36, output 4, output 4");
}

TEST(Lifetimes, BesideADeviceTheCpuIsAHost) {
  EXPECT_EQ(curve({R"(
    x = placeholder : f32[4]@0 on cuda:0
    state = my.state.default(x) : f32[100]@1 on cpu
    y = aten.sin.default(x) : f32[4]@2 on cuda:0
    return y, state)"}),
            "state 0, y 16, output 16, output 16");
}

// The three ways to the host and back, between which the device has but the other tensors.
struct Offloading {
  std::string name, forward, backward, curve;
};

void PrintTo(const Offloading& way, std::ostream* out) { *out << way.name; }

class OffloadedMemory : public testing::TestWithParam<Offloading> {};

TEST_P(OffloadedMemory, IsOffTheDeviceBetweenTheCopies) {
  for (const std::string device : {"cuda:0", "cpu"}) {
    // Copies to where the value is already keep its storage number.
    const std::string on = device == "cpu" ? "@1 on cpu" : " on cpu";
    const std::string forward = fmt::format(R"(
    x = placeholder : f32[1] on {0}
    a = aten.sin.default(x) : f32[4]@1 on {0}
    b = aten.sum.default(a) : f32[1] on {0}
    )",
                                            device) +
                                fmt::format(fmt::runtime(GetParam().forward), on) + "\n    return b, cpu_offload_a";
    const std::string backward = fmt::format(R"(
    cpu_offload_a = placeholder : f32[4]{1}
    tangents_1 = placeholder : f32[1] on {0}
    early = aten.sin.default(tangents_1) : f32[1] on {0}
    )",
                                             device, on) +
                                 fmt::format(fmt::runtime(GetParam().backward), device) +
                                 fmt::format(R"(
    v = aten.view.default(back, [2, 2]) : f32[2, 2]@1 on {0}
    g = aten.mul.Tensor(v, early) : f32[1] on {0}
    return g)",
                                             device);
    EXPECT_EQ(curve({forward, backward, {{1, 0}}}), GetParam().curve) << device;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dialects, OffloadedMemory,
    testing::Values(Offloading{"aten", "cpu_offload_a = prims.device_put.default(a, device(cpu)) : f32[4]{0}",
                               "back = prims.device_put.default(cpu_offload_a, device(cuda:0)) : f32[4] on {0}",
                               "a 16, b 20, cpu_offload_a 20, output 4, early 12, back 28, v 28, g 32, output 12"},
                    Offloading{
                        "ao", R"(started = ao.offload.default(a) : f32[4]{0}
    cpu_offload_a = ao.wait_tensor.default(started, a) : f32[4]{0})",
                        R"(reload = ao.reload.default(cpu_offload_a, device(cuda:0), [4], [1]) : f32[4] on {0}
    back = ao.wait_tensor.default(reload, cpu_offload_a) : f32[4] on {0})",
                        "a 16, b 20, started 20, cpu_offload_a 20, output 4, early 12, reload 28, back 28, v 28, g 32, "
                        "output 12"},
                    Offloading{"xla", "cpu_offload_a = xla.place_to_host.default(a) : f32[4]{0}",
                               "back = xla.place_to_device.default(cpu_offload_a) : f32[4] on {0}",
                               "a 16, b 20, cpu_offload_a 20, output 4, early 12, back 28, v 28, g 32, output 12"}),
    [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace fxcut
