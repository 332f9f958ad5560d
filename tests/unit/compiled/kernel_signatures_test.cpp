// The dtypes of kernels' arguments, as the code of both kinds of kernels declares them.
#include "compiled/kernel_signatures.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "python_text/graph_source.h"

namespace fxcut {
namespace {

// The dtypes of a kernel's arguments, "-" for what is no pointer; "none" without such a kernel.
std::string dtypes_of(std::string_view text, std::string_view kernel) {
  const auto signatures = read_kernel_signatures(split_lines(text));
  const auto found = signatures.find(kernel);
  if (found == signatures.end()) return "none";
  std::string names;
  for (const Dtype* const dtype : found->second) names.append(names.empty() ? "" : " ").append(dtype ? dtype->name : "-");
  return names;
}

TEST(KernelSignatures, CppKernelsDeclareTheirs) {
  const std::string_view code =
      "cpp_fused_0 = async_compile.cpp_pybinding(['const float*', 'bfloat16*', 'const int64_t', 'bool*', 'odd*'], r'''\n";
  EXPECT_EQ(dtypes_of(code, "cpp_fused_0"), "float32 bfloat16 - bool -");
  EXPECT_EQ(dtypes_of(code, "cpp_fused_1"), "none");
  EXPECT_EQ(dtypes_of("k = async_compile.cpp_pybinding(['const float*', 'bfl", "k"), "");
}

TEST(KernelSignatures, TritonKernelsHaveTheirsBelowTheirNames) {
  const std::string_view code = R"(triton_poi_fused_0 = async_compile.triton('triton_poi_fused_0', '''
    triton_meta={'signature': {'in_ptr0': '*bf16', 'out_ptr0': '*fp8e4nv', 'xnumel': 'i32'}, 'device': 'cuda'},
''')
triton_red_fused_1 = async_compile.triton('triton_red_fused_1', '''
    triton_meta={'signature': {'in_out_ptr0': '*fp32', 'in_ptr0': '*i1'}},
''')
)";
  EXPECT_EQ(dtypes_of(code, "triton_poi_fused_0"), "bfloat16 float8_e4m3fn -");
  EXPECT_EQ(dtypes_of(code, "triton_red_fused_1"), "float32 bool");
}

TEST(KernelSignatures, ASecondSignatureBelowOneNameIsNotTheKernels) {
  const std::string_view code =
      "k = async_compile.triton('k', '''\n{'signature': {'a': '*fp64'}}\n{'signature': {'a': '*i8'}}\n";
  EXPECT_EQ(dtypes_of(code, "k"), "float64");
  EXPECT_EQ(dtypes_of("{'signature': {'a': '*i8'}}\n", ""), "none") << "a signature of no kernel";
}

}  // namespace
}  // namespace fxcut
