// Dtypes, and the memory of tensors.
#include "graph/value.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

Tensor tensor(const std::string& text) {
  return joint_graph("x = placeholder : " + text + "\nreturn x").graph.nodes[0].value->tensor;
}

TEST(Dtypes, EachNameFindsItself) {
  for (const std::string_view name : dtype_names()) {
    const Dtype* dtype = find_dtype(name);
    ASSERT_NE(dtype, nullptr) << name;
    EXPECT_EQ(dtype->name, name);
  }
  EXPECT_EQ(find_dtype("float31"), nullptr);
  EXPECT_EQ(find_dtype(""), nullptr);
  EXPECT_EQ(find_dtype("zzz"), nullptr);
}

TEST(Dtypes, SizesInBytes) {
  const auto bytes = [](std::string_view name) { return find_dtype(name)->size_bytes; };
  EXPECT_EQ(bytes("float32"), 4);
  EXPECT_EQ(bytes("float64"), 8);
  EXPECT_EQ(bytes("bfloat16"), 2);
  EXPECT_EQ(bytes("bool"), 1);
  EXPECT_EQ(bytes("complex32"), 4);
  EXPECT_EQ(bytes("complex128"), 16);
  EXPECT_EQ(bytes("float8_e4m3fn"), 1);
  EXPECT_EQ(bytes("qint32"), 4);
}

TEST(Tensors, AreDenseIfTheirElementsAreAdjacent) {
  EXPECT_TRUE(is_contiguous(tensor("f32[2, 3]{3, 1}")));
  EXPECT_FALSE(is_contiguous(tensor("f32[2, 3]{1, 2}")));
  EXPECT_FALSE(is_contiguous(tensor("f32[2, 3]{4, 1}"))) << "a gap between rows";
  EXPECT_FALSE(is_contiguous(tensor("f32[2, 3]{0, 1}"))) << "rows that are one";
  EXPECT_TRUE(is_contiguous(tensor("f32[1, 3]{100, 1}"))) << "the stride of a single row is never used";
  EXPECT_TRUE(is_contiguous(tensor("f32[0, 3]{1, 7}"))) << "nothing to lie anywhere";
  EXPECT_TRUE(is_contiguous(tensor("f32[]")));
  EXPECT_TRUE(is_contiguous(tensor("f32[2, 3]"))) << "strides are not known";
  EXPECT_FALSE(is_contiguous(tensor("f32[s0=8, 1]{7, 1}"))) << "sizes by their hints";
}

TEST(Tensors, BytesOfTheElements) {
  EXPECT_EQ(element_bytes(tensor("f32[2, 3]{100, 1}")), 24);
  EXPECT_EQ(element_bytes(tensor("f32[]")), 4);
  EXPECT_EQ(element_bytes(tensor("f32[0, 3]")), 0);
}

TEST(Tensors, BytesOfAllInAValue) {
  const auto bytes = [](const std::string& value) {
    return tensor_bytes(*joint_graph("x = placeholder : " + value + "\nreturn x").graph.nodes[0].value);
  };
  EXPECT_EQ(bytes("f32[2, 3]"), 24);
  EXPECT_EQ(bytes("tuple(f32[2, 3], tuple(i64[4], none), symint(s0=8))"), 24 + 32);
  EXPECT_EQ(bytes("symint(s0=8)"), 0);
}

TEST(Tensors, BytesFromTheFirstElementToTheLast) {
  EXPECT_EQ(extent_bytes(tensor("f32[2, 3]{3, 1}")), 24);
  EXPECT_EQ(extent_bytes(tensor("f32[2, 3]{100, 1}")), (100 + 2 + 1) * 4);
  EXPECT_EQ(extent_bytes(tensor("f32[2, 3]{0, 1}")), 12);
  EXPECT_EQ(extent_bytes(tensor("f32[0, 3]{3, 1}")), 0);
  EXPECT_EQ(extent_bytes(tensor("f32[]{}")), 4);
  EXPECT_EQ(extent_bytes(tensor("f32[2, 3]")), 24) << "strides not known";
}

TEST(Bytes, AnEmptyTensorHasZeroHoweverLargeItsOtherSizes) {
  EXPECT_EQ(element_bytes(tensor("f32[4611686018427387904, 8, 0]")), 0);
  EXPECT_EQ(extent_bytes(tensor("f32[4611686018427387904, 8, 0]{4611686018427387904, 1, 1}")), 0);
}

TEST(Expressions, ALoneSymbolIsOne) {
  EXPECT_TRUE(tensor("f32[s0=4]").shape[0].expression->is_symbol());
  EXPECT_FALSE(tensor("f32[2*s0=8]").shape[0].expression->is_symbol());
  EXPECT_FALSE(tensor("f32[s0+s1=8]").shape[0].expression->is_symbol());
  EXPECT_EQ(tensor("f32[4]").shape[0].expression, nullptr);
}

}  // namespace
}  // namespace fxcut
