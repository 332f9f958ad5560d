#include "import/exported_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnostic/diagnostic.h"
#include "json/fields.h"
#include "python_text/annotation.h"

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

using Kind = PythonExpression::Kind;
using Type = JsonValue::Type;

PythonExpression signed_number(Kind kind, std::string_view digits) {
  if (!digits.starts_with('-')) return make_python(kind, std::string(digits));
  return make_python(Kind::Unary, "-", {make_python(kind, std::string(digits.substr(1)))});
}

// JSON has no infinities: they are stored as strings.
PythonExpression special_number(const JsonValue& value) {
  if (value.text() == "Infinity") return python_name("inf");
  if (value.text() == "-Infinity") return make_python(Kind::Unary, "-", {python_name("inf")});
  if (value.text() == "NaN") return python_name("nan");
  refuse_exported(value, "expected a number");
}

PythonExpression read_real(const JsonValue& value) {
  if (value.is(Type::String)) return special_number(value);
  if (value.is(Type::Integer)) return signed_number(Kind::Real, fmt::format("{}.0", value.integer()));
  if (!value.is(Type::Real)) refuse_exported(value, fmt::format("expected a number, found {}", describe(value.type())));
  return signed_number(Kind::Real, value.text());
}

PythonExpression read_integer(const JsonValue& value) {
  if (value.is(Type::BigInteger)) return signed_number(Kind::Integer, value.text());
  if (!value.is(Type::Integer)) {
    refuse_exported(value, fmt::format("expected an integer, found {}", describe(value.type())));
  }
  return signed_number(Kind::Integer, std::to_string(value.integer()));
}

PythonExpression read_boolean(const JsonValue& value) {
  if (!value.is(Type::Bool)) refuse_exported(value, fmt::format("expected a boolean, found {}", describe(value.type())));
  return python_name(value.boolean() ? "True" : "False");
}

PythonExpression read_text(const JsonValue& value) { return make_python(Kind::String, exported_text(value)); }
PythonExpression read_none(const JsonValue&) { return python_name("None"); }
PythonExpression read_named(const JsonValue& value) { return python_name(needed_text(value, "name")); }
PythonExpression read_plain_name(const JsonValue& value) { return python_name(exported_text(value)); }

template <std::string (*name)(const JsonValue&)>
PythonExpression read_constant(const JsonValue& value) {
  return python_name("torch." + name(value));
}

PythonExpression read_device(const JsonValue& value) {
  return make_python(Kind::Call, "", {python_name("device"), make_python(Kind::String, exported_device(value))});
}

PythonExpression read_complex(const JsonValue& value) {
  PythonExpression imaginary = read_real(needed(value, "imag"));
  const bool is_negative = imaginary.is(Kind::Unary);
  PythonExpression& size = is_negative ? imaginary.items[0] : imaginary;
  return make_python(Kind::Binary, is_negative ? "-" : "+",
                     {read_real(needed(value, "real")), make_python(Kind::Imaginary, std::move(size.text))});
}

template <PythonExpression (*read)(const JsonValue&)>
PythonExpression read_list(const JsonValue& value) {
  if (!value.is(Type::Array)) refuse_exported(value, fmt::format("expected an array, found {}", describe(value.type())));
  PythonExpression list = make_python(Kind::List, "");
  for (const JsonValue item : value) list.items.push_back(read(item));
  return list;
}

PythonExpression read_dict(const JsonValue& value) {
  PythonExpression dict = make_python(Kind::Dict, "");
  if (!value.is(Type::Object)) refuse_exported(value, fmt::format("expected an object, found {}", describe(value.type())));
  for (const JsonValue item : value) {
    dict.items.push_back(make_python(Kind::String, std::string(item.key())));
    dict.items.push_back(read_exported_argument(item));
  }
  return dict;
}

using Read = PythonExpression (*)(const JsonValue&);

// The kinds of an argument, and of the smaller unions within one, by the key of their member.
constexpr std::array<std::pair<std::string_view, Read>, 32> kKinds = {{
    {"as_none", read_none}, {"as_tensor", read_named}, {"as_tensors", read_list<read_named>}, {"as_int", read_integer},
    {"as_ints", read_list<read_integer>}, {"as_float", read_real}, {"as_floats", read_list<read_real>},
    {"as_string", read_text}, {"as_strings", read_list<read_text>}, {"as_name", read_plain_name},
    {"as_sym_int", read_exported_argument}, {"as_sym_ints", read_list<read_exported_argument>},
    {"as_sym_bool", read_exported_argument}, {"as_sym_bools", read_list<read_exported_argument>},
    {"as_sym_float", read_exported_argument}, {"as_sym_floats", read_list<read_exported_argument>},
    {"as_scalar_type", read_constant<exported_dtype>}, {"as_memory_format", read_constant<exported_memory_format>},
    {"as_layout", read_constant<exported_layout>}, {"as_device", read_device}, {"as_bool", read_boolean},
    {"as_bools", read_list<read_boolean>}, {"as_graph", read_named}, {"as_optional_tensor", read_exported_argument},
    {"as_optional_tensors", read_list<read_exported_argument>}, {"as_custom_obj", read_named},
    {"as_operator", read_plain_name}, {"as_complex", read_complex}, {"as_nested_tensors", read_list<read_list<read_named>>},
    {"as_int_lists", read_list<read_list<read_integer>>}, {"as_float_lists", read_list<read_list<read_real>>},
    {"as_string_to_argument", read_dict}}};

}  // namespace

void refuse_exported(const JsonValue& at, std::string message) {
  throw Failure(ExitStatus::BadInput,
                {at.mistake(std::move(message), "expected the format of torch.export.save of PyTorch 2.13 or 2.15")});
}

JsonValue needed(const JsonValue& object, std::string_view key) {
  const auto found = member(object, key);
  if (!found) refuse_exported(object, fmt::format("missing '{}'", key));
  return *found;
}

std::string exported_text(const JsonValue& value) {
  if (!value.is(JsonValue::Type::String)) {
    refuse_exported(value, fmt::format("expected a string, found {}", describe(value.type())));
  }
  return std::string(value.text());
}

std::string needed_text(const JsonValue& object, std::string_view key) { return exported_text(needed(object, key)); }

JsonValue needed_list(const JsonValue& object, std::string_view key) {
  const JsonValue list = needed(object, key);
  if (!list.is(JsonValue::Type::Array)) {
    refuse_exported(list, fmt::format("expected an array, found {}", describe(list.type())));
  }
  return list;
}

JsonValue only_member(const JsonValue& object) {
  if (!object.is(JsonValue::Type::Object) || object.size() != 1) {
    refuse_exported(object, "expected an object with one member, its kind");
  }
  return *object.begin();
}

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

PythonExpression read_exported_argument(const JsonValue& argument) {
  const JsonValue kind = only_member(argument);
  for (const auto& [key, read] : kKinds) {
    if (key == kind.key()) return read(kind);
  }
  refuse_exported(kind, fmt::format("an argument of unknown kind '{}'", kind.key()));
}

}  // namespace fxcut
