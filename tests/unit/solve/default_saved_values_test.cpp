// The values that the default partitioner saves.
#include "solve/default_saved_values.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

// The names of the saved nodes, or the refusal.
std::string saved(std::string_view text, bool has_regions = false) {
  const JointGraph joint = joint_graph(text);
  try {
    std::string names;
    const Users users(joint.graph);
    for (const NodeId id : default_saved_values(joint, users, Roles(), has_regions).saved) {
      names += (names.empty() ? "" : " ") + joint.graph[id].name;
    }
    return names;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.what();
  }
}

TEST(DefaultSavedValues, AreTheBackwardsInputsFromTheForward) {
  EXPECT_EQ(saved(R"(
    primals_1 = placeholder : f32[4]
    sin = aten.sin.default(primals_1) : f32[4] partitioner_tag=is_forward
    cos = aten.cos.default(sin) : f32[4] partitioner_tag=is_forward
    tangents_1 = placeholder : f32[4]
    mul = aten.mul.Tensor(tangents_1, sin) : f32[4]
    return cos | mul)"),
            "sin cos")
      << "the output counts as a taker of what it returns; what does not cross is dropped later";
}

TEST(DefaultSavedValues, AreTheSizesIfOnlyThoseAreRead) {
  EXPECT_EQ(saved(R"(
    primals_1 = placeholder : f32[s0=4]
    sin = aten.sin.default(primals_1) : f32[s0=4] partitioner_tag=is_forward
    tangents_1 = placeholder : f32[]
    size = aten.sym_size.int(sin, 0) : symint(s0=4)
    grad = aten.expand.default(tangents_1, [size]) : f32[s0=4]
    return grad)"),
            "size");
}

TEST(DefaultSavedValues, EverySymbolOfTheForward) {
  EXPECT_EQ(saved(R"(
    s0 = placeholder : symint(s0=4)
    primals_1 = placeholder : f32[s0=4]
    sin = aten.sin.default(primals_1) : f32[s0=4] partitioner_tag=is_forward
    return None)"),
            "s0");
}

TEST(DefaultSavedValues, ItemsOfATupleAndNotTheTuple) {
  EXPECT_EQ(saved(R"(
    primals_1 = placeholder : f32[4]
    split = aten.split.Tensor(primals_1, 2) : tuple(f32[2], f32[2]) partitioner_tag=is_forward recompute=MUST_SAVE
    item = operator.getitem(split, 0) : f32[2] partitioner_tag=is_forward
    tangents_1 = placeholder : f32[2]
    mul = aten.mul.Tensor(tangents_1, item) : f32[2]
    return mul)"),
            "item");
}

TEST(DefaultSavedValues, ChecksRunTwice) {
  EXPECT_EQ(saved(R"(
    primals_1 = placeholder : f32[4]
    check = aten._assert_async.msg(primals_1, "text") partitioner_tag=is_forward
    return None)"),
            "");
}

TEST(DefaultSavedValues, ASideEffectBesideARegionIsRefused) {
  constexpr std::string_view text = R"(
    primals_1 = placeholder : f32[4]
    print = aten._print.default("text") partitioner_tag=is_forward
    return None)";
  EXPECT_EQ(saved(text, false), "print");
  EXPECT_NE(saved(text, true).find("'print' (aten._print.default) has a side effect"), std::string::npos);
}

TEST(DefaultSavedValues, NonTensorsAreRefused) {
  EXPECT_NE(saved(R"(
    primals_1 = placeholder : f32[4]
    split = aten.split.Tensor(primals_1, 2) : tuple(f32[2], f32[2]) partitioner_tag=is_forward
    return primals_1)")
                .find("'split' is not a tensor"),
            std::string::npos);
}

}  // namespace
}  // namespace fxcut
