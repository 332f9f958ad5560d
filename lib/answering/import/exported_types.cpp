#include "import/exported_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "import/annotation.h"
#include "import/exported_fields.h"
#include "import/symbolic_repr.h"
#include "json/fields.h"

namespace fxcut {
namespace {

using Numbered = std::pair<std::int64_t, std::string_view>;

constexpr std::array<Numbered, 21> kDtypes = {{
    {1, "uint8"}, {2, "int8"}, {3, "int16"}, {4, "int32"}, {5, "int64"}, {6, "float16"}, {7, "float32"}, {8, "float64"},
    {9, "complex32"}, {10, "complex64"}, {11, "complex128"}, {12, "bool"}, {13, "bfloat16"}, {28, "uint16"},
    {29, "float8_e4m3fn"}, {30, "float8_e5m2"}, {31, "float8_e4m3fnuz"}, {32, "float8_e5m2fnuz"}, {33, "float8_e8m0fnu"},
    {34, "uint32"}, {35, "uint64"}}};
constexpr std::array<Numbered, 4> kMemoryFormatNumbers = {
    {{1, "contiguous_format"}, {2, "channels_last"}, {3, "channels_last_3d"}, {4, "preserve_format"}}};
constexpr std::array<Numbered, 7> kLayoutNumbers = {{
    {1, "sparse_coo"}, {2, "sparse_csr"}, {3, "sparse_csc"}, {4, "sparse_bsr"}, {5, "sparse_bsc"}, {6, "_mkldnn"},
    {7, "strided"}}};

template <typename Rows>
std::string enumerated(const Rows& rows, const JsonValue& value, std::string_view what) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Numbered& each) {
    return value.is(JsonValue::Type::Integer) && each.first == value.integer();
  });
  if (row == rows.end()) refuse_exported(value, fmt::format("expected the number of a {}", what));
  return std::string(row->second);
}

std::string number(const JsonValue& value) {
  if (value.is(JsonValue::Type::Integer)) return std::to_string(value.integer());
  if (value.is(JsonValue::Type::Real)) return std::string(value.text());
  if (value.is(JsonValue::Type::Bool)) return value.boolean() ? "True" : "False";
  refuse_exported(value, fmt::format("expected a number, found {}", describe(value.type())));
}

}  // namespace

std::string exported_dtype(const JsonValue& value) { return enumerated(kDtypes, value, "dtype"); }
std::string exported_memory_format(const JsonValue& value) {
  return enumerated(kMemoryFormatNumbers, value, "memory format");
}
std::string exported_layout(const JsonValue& value) { return enumerated(kLayoutNumbers, value, "layout"); }

std::string exported_device(const JsonValue& value) {
  std::string device = needed_text(value, "type");
  const auto index = member(value, "index");
  if (index && index->is(JsonValue::Type::Integer)) device += fmt::format(":{}", index->integer());
  return device;
}

// An expression with an optional hint, or a number alone.
std::string ExportedTypes::size(const JsonValue& value) {
  const JsonValue kind = only_member(value);
  if (kind.key() != "as_expr") return number(kind);
  const PythonExpression expression = read_symbolic_repr(needed_text(kind, "expr_str"), kind.place());
  const auto hint = member(kind, "hint");
  if (hint && hint->is(JsonValue::Type::Object) && expression.is(PythonExpression::Kind::Name)) {
    const JsonValue counted = only_member(*hint);
    if (counted.is(JsonValue::Type::Integer)) hints_.emplace(expression.text, counted.integer());
  }
  return print_size(expression);
}

std::string ExportedTypes::sizes(const JsonValue& list) {
  std::string text = "[";
  for (const JsonValue value : list) text += (text.size() > 1 ? ", " : "") + size(value);
  return text + "]";
}

std::string ExportedTypes::tensor(const JsonValue& meta) {
  std::string type(dtype_abbreviation(exported_dtype(needed(meta, "dtype"))));
  type += sizes(needed_list(meta, "sizes"));
  if (exported_layout(needed(meta, "layout")) == "strided") type += sizes(needed_list(meta, "strides"));
  return type + exported_device(needed(meta, "device"));
}

std::string ExportedTypes::symbolic(const JsonValue& value) { return "Sym(" + size(value) + ")"; }

}  // namespace fxcut
