// Bytes of values and of storages.
#include "cost/size.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

std::optional<std::int64_t> size(const std::string& line, const Settings& settings = {}) {
  const JointGraph joint = joint_graph("p = placeholder\n" + line + "\nreturn p");
  return find_size(node_named(joint.graph, "x"), settings);
}

TEST(Size, IsATensorsElements) {
  EXPECT_EQ(size("x = placeholder : f32[3, 5]"), 60);
  EXPECT_EQ(size("x = placeholder : bf16[3, 5]{100, 1}"), 30) << "strides do not count";
  EXPECT_EQ(size("x = placeholder : i64[]"), 8);
  EXPECT_EQ(size("x = placeholder : complex128[2]"), 32);
  EXPECT_EQ(size("x = placeholder : f32[0, 5]"), 0);
  EXPECT_EQ(size("x = placeholder : f32[s0=7, 2*s0=14]"), 7 * 14 * 4);
  EXPECT_EQ(size("x = placeholder : f32[u0]"), 4096 * 4);
}

TEST(Size, IsTheSumOfATuplesTensors) {
  EXPECT_EQ(size("x = placeholder : tuple(f32[4], symint(s0=3), none, i64[2])"), 32);
  EXPECT_EQ(size("x = placeholder : tuple(tuple(f32[4]), f32[1])"), 4) << "nested tuples do not count";
}

TEST(Size, IsOneForSymbolicNumbers) {
  EXPECT_EQ(size("x = placeholder : symint(s0=16)"), 1);
  EXPECT_EQ(size("x = placeholder : symfloat(zf0)"), 1);
  EXPECT_EQ(size("x = placeholder : symbool(s0 > 3)"), 1);
}

TEST(Size, IsZeroForEmptyValues) {
  EXPECT_EQ(size("x = get_attr x"), 0);
  EXPECT_EQ(size("x = aten._assert_scalar.default(p, \"message\")"), 0);
}

TEST(Size, IsUnknownOfOtherValues) {
  for (const std::string value :
       {"", " : none", " : scalar", " : backward_state", " : opaque", " : other(list)", " : other(Generator)"}) {
    EXPECT_EQ(size("x = placeholder" + value), std::nullopt) << value;
  }
  EXPECT_EQ(size("x = aten.sin.default(p)"), std::nullopt);
}

TEST(Size, IsZeroForScriptObjectsOnRequest) {
  Settings settings;
  settings.unsafe_treat_script_objects_as_zero_size = true;
  EXPECT_EQ(size("x = placeholder : opaque", settings), 0);
  EXPECT_EQ(size("x = placeholder : other(Generator)", settings), 0);
  EXPECT_EQ(size("x = placeholder : scalar", settings), std::nullopt);
}

TEST(Size, ANeededButUnknownSizeIsAFailureThatNamesTheNode) {
  const JointGraph joint = joint_graph("x = placeholder : opaque\nreturn x");
  try {
    size_of(node_named(joint.graph, "x"), {}, kNewestRelease);
    FAIL() << "no failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    const std::string text = failure.what();
    EXPECT_NE(text.find("the size of 'x'"), std::string::npos) << text;
    EXPECT_NE(text.find("unsafe_treat_script_objects_as_zero_size"), std::string::npos) << text;
  }
}

TEST(Size, IsKnownForCallsWithoutResultsSince2_13) {
  const auto size = [](std::string_view name, Release release) {
    const JointGraph joint = joint_graph(made_by(release) + R"(
      x = placeholder : bool[]
      scalar = aten._assert_scalar.default(x, "")
      async = aten._assert_async.default(x)
      return x)");
    return size_of(node_named(joint.graph, name), {}, release);
  };
  EXPECT_EQ(size("async", kTorch2_13), 0);
  EXPECT_THROW(size("async", kTorch2_12), Failure);
  EXPECT_EQ(size("scalar", kTorch2_12), 0);
}

TEST(Size, IsZeroForADeviceSince2_15) {
  const JointGraph joint = joint_graph("x = placeholder : other(device)\nreturn x");
  EXPECT_EQ(size_of(node_named(joint.graph, "x"), {}, Release{15}), 0);
  EXPECT_THROW(size_of(node_named(joint.graph, "x"), {}, Release{13}), Failure);
}

TEST(Storage, IsAsLargeAsTheLargestExtentInIt) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder : f32[4, 4]{4, 1}@1
    row = aten.select.int(x, 0, 0) : f32[4]{1}@1
    wide = placeholder : f32[2, 2]{100, 1}@2
    broadcast = placeholder : f32[50, 2]{0, 1}@3
    unknown_strides = placeholder : f32[3]@4
    empty = placeholder : f32[0, 9]{9, 1}@5
    two = aten.topk.default(x, 2) : tuple(f32[4, 2]{2, 1}@6, i64[4, 2]{2, 1}@7)
    nowhere = placeholder : f32[8]
    return x)");
  const StorageBytes expected = {{1, 64}, {2, 408}, {3, 8}, {4, 12}, {5, 0}, {6, 32}, {7, 64}};
  EXPECT_EQ(storage_bytes(joint.graph), expected);
}

TEST(Size, IsKnownForADictionarySince2_5) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder : f32[4]
    y = my.make.default(x) : tuple(f32[4])
    return y)");
  Node node = node_named(joint.graph, "y");
  auto value = std::make_shared<Value>(*node.value);
  value->kind = Value::Kind::Dict;
  node.value = value;
  EXPECT_EQ(size_of(node, {}, kTorch2_5), 16);
  EXPECT_THROW(size_of(node, {}, kTorch2_4), Failure);
}

}  // namespace
}  // namespace fxcut
