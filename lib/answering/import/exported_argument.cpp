#include "import/exported_argument.h"

#include <fmt/format.h>

#include <array>

#include "import/exported_fields.h"
#include "import/exported_types.h"
#include "json/fields.h"

namespace fxcut {
namespace {

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

PythonExpression read_exported_argument(const JsonValue& argument) {
  const JsonValue kind = only_member(argument);
  for (const auto& [key, read] : kKinds) {
    if (key == kind.key()) return read(kind);
  }
  refuse_exported(kind, fmt::format("an argument of unknown kind '{}'", kind.key()));
}

}  // namespace fxcut
