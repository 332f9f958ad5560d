#include "read/read_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// Objects with a single key whose value is a string.
constexpr std::array<std::pair<std::string_view, Argument::Kind>, 6> kNamed = {{
    {"dtype", Argument::Kind::Dtype},
    {"device", Argument::Kind::Device},
    {"layout", Argument::Kind::Layout},
    {"memory_format", Argument::Kind::MemoryFormat},
    {"op", Argument::Kind::Operator},
    {"opaque", Argument::Kind::Opaque},
}};

constexpr std::array<std::pair<std::string_view, double>, 3> kNonFinite = {{
    {"inf", std::numeric_limits<double>::infinity()},
    {"-inf", -std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
}};

Argument of_kind(Argument::Kind kind) {
  Argument argument;
  argument.kind = kind;
  return argument;
}

std::vector<std::string_view> tags() {
  std::vector<std::string_view> all = {"node", "tuple", "slice", "dict", "float", "complex", "sym"};
  for (const auto& [tag, kind] : kNamed) all.push_back(tag);
  return all;
}

}  // namespace

Argument ArgumentReader::read(const JsonValue& json) {
  Argument argument;
  switch (json.type()) {
    case Type::Null: return argument;
    case Type::Bool:
      argument.kind = Argument::Kind::Bool;
      argument.integer = json.boolean() ? 1 : 0;
      return argument;
    case Type::Integer:
      argument.kind = Argument::Kind::Int;
      argument.integer = json.integer();
      return argument;
    case Type::BigInteger:
      argument.kind = Argument::Kind::BigInt;
      argument.text = json.text();
      return argument;
    case Type::Real:
      argument.kind = Argument::Kind::Float;
      argument.real = json.real();
      return argument;
    case Type::String:
      argument.kind = Argument::Kind::String;
      argument.text = json.text();
      return argument;
    case Type::Array:
      argument.kind = Argument::Kind::List;
      read_items(json, argument);
      return argument;
    case Type::Object: return read_tagged(json);
  }
  return argument;
}

void ArgumentReader::read_items(const JsonValue& json, Argument& argument) {
  argument.items.reserve(json.size());
  for (const JsonValue item : json) argument.items.push_back(read(item));
}

Argument ArgumentReader::read_tagged(const JsonValue& json) {
  if (json.empty() || json.size() != 1) {
    mistakes_.add(json, node_, "expected one key in braces, such as {\"node\": \"primals_1\"}", "");
    return {};
  }
  const JsonValue content = *json.begin();
  const std::string_view tag = content.key();
  if (tag == "node") return read_reference(content);
  if (tag == "tuple") return read_sequence(content, Argument::Kind::Tuple);
  if (tag == "slice") return read_slice(content);
  if (tag == "dict") return read_dict(content);
  if (tag == "float") return read_non_finite(content);
  if (tag == "complex") return read_complex(content);
  if (tag == "sym") {
    Argument argument = of_kind(Argument::Kind::Symbolic);
    content.document().append(content.ticket(), argument.text);
    return argument;
  }
  for (const auto& [name, kind] : kNamed) {
    if (tag != name) continue;
    Argument argument = of_kind(kind);
    if (const auto text = read_string(content, node_, mistakes_)) argument.text = *text;
    if (kind == Argument::Kind::Operator) argument.callee = &operators_.find(argument.text);
    return argument;
  }
  mistakes_.add_to_key(content, node_, fmt::format("unknown kind of argument '{}'", tag), did_you_mean(tag, tags()));
  return {};
}

Argument ArgumentReader::read_sequence(const JsonValue& json, Argument::Kind kind) {
  Argument argument = of_kind(kind);
  if (expect(json, Type::Array, node_, mistakes_)) read_items(json, argument);
  return argument;
}

Argument ArgumentReader::read_slice(const JsonValue& json) {
  Argument argument = read_sequence(json, Argument::Kind::Slice);
  if (argument.items.size() != 3) mistakes_.add(json, node_, "expected three entries of a slice: start, stop, step", "");
  return argument;
}

Argument ArgumentReader::read_dict(const JsonValue& json) {
  Argument argument = of_kind(Argument::Kind::Dict);
  if (expect(json, Type::Object, node_, mistakes_)) {
    for (const JsonValue item : json) argument.keys.emplace_back(item.key());
    read_items(json, argument);
  }
  return argument;
}

Argument ArgumentReader::read_non_finite(const JsonValue& json) {
  Argument argument = of_kind(Argument::Kind::Float);
  for (const auto& [name, value] : kNonFinite) {
    if (json.is(Type::String) && json.text() == name) {
      argument.real = value;
      return argument;
    }
  }
  mistakes_.add(json, node_, "expected \"inf\", \"-inf\" or \"nan\"", "");
  return argument;
}

Argument ArgumentReader::read_complex(const JsonValue& json) {
  Argument argument = of_kind(Argument::Kind::Complex);
  if (!json.is(Type::Array) || json.size() != 2) {
    mistakes_.add(json, node_, "expected a complex number: [real part, imaginary part]", "");
    return argument;
  }
  argument.real = read_real(*json.begin(), node_, mistakes_).value_or(0);
  argument.imaginary = read_real(*++json.begin(), node_, mistakes_).value_or(0);
  return argument;
}

std::vector<std::string_view> ArgumentReader::known_names() const {
  std::vector<std::string_view> known;
  known.reserve(names_.entries().size());
  for (const auto& [name, id] : names_.entries()) known.push_back(name);
  std::sort(known.begin(), known.end());  // the first of equally near names is suggested
  return known;
}

Argument ArgumentReader::read_reference(const JsonValue& name) {
  Argument argument = of_kind(Argument::Kind::Node);
  argument.index = static_cast<std::uint32_t>(inputs_.size());
  const auto text = read_string(name, node_, mistakes_);
  if (!text) return {};
  const NodeId* found = names_.find(*text);
  if (found == nullptr) {
    mistakes_.add(name, node_, fmt::format("unknown node '{}'", *text),
                  mistakes_.has_room() ? did_you_mean(*text, known_names()) : "");
    return {};
  }
  if (*found >= reader_) {
    mistakes_.add(name, node_, *found == reader_ ? fmt::format("'{}' uses its own value", *text)
                                                : fmt::format("'{}' is defined later in the graph", *text),
                  "nodes are in execution order: each uses only earlier ones");
    return {};
  }
  inputs_.push_back(*found);
  return argument;
}

}  // namespace fxcut
