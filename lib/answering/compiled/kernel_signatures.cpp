#include "compiled/kernel_signatures.h"

#include <algorithm>
#include <array>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "python_text/python_expression.h"

namespace fxcut {
namespace {

struct PointerType {
  std::string_view name, dtype;
};

// torch/_inductor/codegen/cpp_utils.py, DTYPE_TO_CPP; torch/_inductor/utils.py, _type_of.
constexpr std::array<PointerType, 30> kPointerTypes = {{
    {"float", "float32"}, {"double", "float64"}, {"half", "float16"}, {"at::Half", "float16"}, {"bfloat16", "bfloat16"},
    {"at::BFloat16", "bfloat16"}, {"int64_t", "int64"}, {"int32_t", "int32"}, {"int", "int32"}, {"int16_t", "int16"},
    {"short", "int16"}, {"int8_t", "int8"}, {"signed char", "int8"}, {"uint8_t", "uint8"}, {"unsigned char", "uint8"},
    {"bool", "bool"}, {"c10::complex<float>", "complex64"}, {"c10::complex<double>", "complex128"}, {"fp32", "float32"},
    {"fp64", "float64"}, {"fp16", "float16"}, {"bf16", "bfloat16"}, {"i64", "int64"}, {"i32", "int32"}, {"i16", "int16"},
    {"i8", "int8"}, {"u8", "uint8"}, {"i1", "bool"}, {"fp8e4nv", "float8_e4m3fn"}, {"fp8e5", "float8_e5m2"}}};

// "const float*" or "*fp32"; null for other types.
const Dtype* pointed_to(std::string_view type) {
  if (type.find('*') == std::string_view::npos) return nullptr;
  if (type.starts_with("const ")) type.remove_prefix(6);
  if (type.starts_with('*')) type.remove_prefix(1);
  type = type.substr(0, type.find('*'));
  const auto* const found = std::ranges::find(kPointerTypes, type, &PointerType::name);
  return found == kPointerTypes.end() ? nullptr : find_dtype(found->dtype);
}

// The list or dict that begins there, empty if the line is cut off. What follows it may be the beginning of a long string.
PythonExpression read_literal(const SourceLine& line, std::size_t begin) {
  const std::vector<SourceLine> rest{{line.text.substr(begin), line.begin}};
  try {
    return PythonReader("", rest, 0, rest.size()).read_expression();
  } catch (const Failure&) {
    return {};
  }
}

// `step` 1 of a list of types, 2 of a dict from names to types.
KernelSignature signature_in(const PythonExpression& literal, std::size_t step) {
  KernelSignature signature;
  for (std::size_t i = step - 1; i < literal.items.size(); i += step) signature.push_back(pointed_to(literal.items[i].text));
  return signature;
}

}  // namespace

std::map<std::string, KernelSignature, std::less<>> read_kernel_signatures(const std::vector<SourceLine>& lines) {
  constexpr std::string_view kCpp = " = async_compile.cpp_pybinding(", kTriton = " = async_compile.triton(",
                             kSignature = "'signature': ";
  std::map<std::string, KernelSignature, std::less<>> signatures;
  std::string triton;  // the kernel whose source these lines are
  for (const SourceLine& line : lines) {
    if (const std::size_t cpp = line.text.find(kCpp); cpp != std::string_view::npos) {
      signatures[std::string(line.text.substr(0, cpp))] = signature_in(read_literal(line, cpp + kCpp.size()), 1);
    } else if (const std::size_t begin = line.text.find(kTriton); begin != std::string_view::npos) {
      triton = line.text.substr(0, begin);
    } else if (const std::size_t at = line.text.find(kSignature); at != std::string_view::npos && !triton.empty()) {
      signatures[std::exchange(triton, "")] = signature_in(read_literal(line, at + kSignature.size()), 2);
    }
  }
  return signatures;
}

}  // namespace fxcut
