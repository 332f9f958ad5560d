// Arguments of the calls in compiled code.
#include "compiled/code_arguments.h"

#include <gtest/gtest.h>

#include <string_view>

namespace fxcut {
namespace {

PythonExpression call_in_code(std::string_view text) { return parse_python(text, "code.py", {}); }

TEST(CodeArguments, CountFromOneAndKeywordsApart) {
  const PythonExpression call = call_in_code("empty_strided((2, 3), (3, 1), device='cpu', dtype=torch.bool)");
  EXPECT_TRUE(argument(call, 0)->is_name("empty_strided")) << "the callee";
  EXPECT_EQ(plain_numbers(*argument(call, 2)), (Extents{3, 1}));
  EXPECT_EQ(argument(call, 3), nullptr) << "keywords are none";
  ASSERT_NE(keyword(call, "dtype"), nullptr);
  EXPECT_EQ(dtype_named(*keyword(call, "dtype")), find_dtype("bool"));
  EXPECT_EQ(keyword(call, "stride"), nullptr);
}

TEST(CodeArguments, OnlyNamesOfTorchAreDtypes) {
  EXPECT_EQ(dtype_named(call_in_code("torch.float8_e5m2")), find_dtype("float8_e5m2"));
  EXPECT_EQ(dtype_named(call_in_code("float32")), nullptr);
  EXPECT_EQ(dtype_named(call_in_code("'torch.float32'")), nullptr) << "a text";
  EXPECT_EQ(dtype_named(call_in_code("torch.strided")), nullptr);
}

TEST(CodeArguments, NumbersArePlainIfAllAre) {
  EXPECT_EQ(plain_numbers(call_in_code("()")), Extents{});
  EXPECT_EQ(plain_numbers(call_in_code("(32, s0)")), std::nullopt);
  EXPECT_EQ(plain_numbers(call_in_code("(2*3, )")), std::nullopt);
}

}  // namespace
}  // namespace fxcut
