#include "show/python_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "json/document.h"
#include "json/fields.h"
#include "show/python_text.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

// "device(type='cuda', index=0)".
std::string device_repr(const std::string& device) {
  const std::size_t colon = device.find(':');
  if (colon == std::string::npos) return fmt::format("device(type={})", python_string(device));
  return fmt::format("device(type={}, index={})", python_string(device.substr(0, colon)), device.substr(colon + 1));
}

// repr() of an operator that is passed as a value.
std::string operator_repr(const Operator& callee) {
  switch (callee.kind) {
    case Operator::Kind::Overload:
      return fmt::format("<OpOverload(op={}, overload={})>", python_string(callee.packet),
                         python_string(callee.target.substr(std::min(callee.target.size(), callee.packet.size() + 1))));
    case Operator::Kind::HigherOrder: return fmt::format("<{}>", callee.target);
    case Operator::Kind::PythonFunction: return fmt::format("<function {}>", callee.base_name);
  }
  return "";
}

// The expression of a size that no node computes; the text of the argument is JSON.
std::string size_text(const std::string& json) {
  const auto document = Document::parse(json, "size");
  const auto expression = member(document->root(), "expr");
  return expression && expression->is(JsonValue::Type::String) ? std::string(expression->text()) : json;
}

bool is_unsafe_part(double part) { return part == 0 || !std::isfinite(part); }

// Writes an argument; the style writes nodes, operators and complex numbers.
template <typename Style>
class Writer {
 public:
  Writer(const Style& style, const Node& owner) : style_(style), owner_(owner) {}

  std::string out;

  void append(const Argument& argument) {
    switch (argument.kind) {
      case Kind::Node: out += style_.node(owner_.inputs[argument.index]); return;
      case Kind::None: out += "None"; return;
      case Kind::Bool: out += argument.integer != 0 ? "True" : "False"; return;
      case Kind::Int: out += std::to_string(argument.integer); return;
      case Kind::BigInt: out += argument.text; return;
      case Kind::Float: out += python_float(argument.real); return;
      case Kind::Complex: out += style_.complex(argument, in_dict_); return;
      case Kind::String: out += python_string(argument.text); return;
      case Kind::List: return append_items(argument, "[", "]");
      case Kind::Tuple: return append_items(argument, "(", argument.items.size() == 1 ? ",)" : ")");
      case Kind::Slice: return append_items(argument, "slice(", ")");
      case Kind::Dict: return append_dict(argument);
      case Kind::Dtype:
      case Kind::Layout:
      case Kind::MemoryFormat: out += "torch." + argument.text; return;
      case Kind::Device: out += device_repr(argument.text); return;
      case Kind::Operator: out += style_.callee(*argument.callee, in_dict_); return;
      case Kind::Symbolic: out += size_text(argument.text); return;
      case Kind::Opaque: out += "<" + argument.text + ">"; return;
    }
  }

 private:
  void append_items(const Argument& argument, std::string_view open, std::string_view close) {
    out += open;
    for (std::size_t i = 0; i < argument.items.size(); ++i) {
      if (i > 0) out += ", ";
      append(argument.items[i]);
    }
    out += close;
  }

  void append_dict(const Argument& argument) {
    const bool within_another = std::exchange(in_dict_, true);
    out += "{";
    for (std::size_t i = 0; i < argument.items.size(); ++i) {
      if (i > 0) out += ", ";
      out += python_string(argument.keys[i]) + ": ";
      append(argument.items[i]);
    }
    out += "}";
    in_dict_ = within_another;
  }

  const Style& style_;
  const Node& owner_;
  bool in_dict_ = false;  // torch.fx leaves dictionaries to repr()
};

struct StyleOfCode {
  PythonNames& names;
  Release release;

  const std::string& node(NodeId id) const { return names.variable(id); }
  std::string callee(const Operator& callee, bool in_dict) const {
    return in_dict || callee.kind == Operator::Kind::PythonFunction ? operator_repr(callee) : names.function(callee);
  }
  std::string complex(const Argument& number, bool in_dict) const {
    const bool is_unsafe = is_unsafe_part(number.real) || is_unsafe_part(number.imaginary);
    if (in_dict || !is_unsafe || !release.has(Change::PrintedCode)) return python_complex(number.real, number.imaginary);
    return fmt::format("complex({}, {})", python_float(number.real), python_float(number.imaginary));
  }
};

struct StyleOfRepr {
  const Graph& graph;

  const std::string& node(NodeId id) const { return graph[id].name; }
  std::string callee(const Operator& callee, bool) const { return operator_repr(callee); }
  std::string complex(const Argument& number, bool) const { return python_complex(number.real, number.imaginary); }
};

}  // namespace

std::string CodeArguments::text(const Node& owner, const Argument& argument) {
  const StyleOfCode style{names_, release_};
  Writer writer(style, owner);
  writer.append(argument);
  return std::move(writer.out);
}

std::string CodeArguments::list(const Node& owner) {
  const StyleOfCode style{names_, release_};
  Writer writer(style, owner);
  for (const Argument& argument : owner.arguments->positional) {
    if (!writer.out.empty()) writer.out += ", ";
    writer.append(argument);
  }
  for (const auto& [name, argument] : owner.arguments->keyword) {
    if (!writer.out.empty()) writer.out += ", ";
    writer.out += name + " = ";
    writer.append(argument);
  }
  return std::move(writer.out);
}

std::string argument_repr(const Graph& graph, const Node& owner, const Argument& argument) {
  const StyleOfRepr style{graph};
  Writer writer(style, owner);
  writer.append(argument);
  return std::move(writer.out);
}

std::string positional_repr(const Graph& graph, const Node& node) {
  const auto& positional = node.arguments->positional;
  std::string text = "(";
  for (std::size_t i = 0; i < positional.size(); ++i) {
    if (i > 0) text += ", ";
    text += argument_repr(graph, node, positional[i]);
  }
  return text + (positional.size() == 1 ? ",)" : ")");
}

std::string keyword_repr(const Graph& graph, const Node& node) {
  std::string text = "{";
  for (const auto& [name, argument] : node.arguments->keyword) {
    if (text.size() > 1) text += ", ";
    text += python_string(name) + ": " + argument_repr(graph, node, argument);
  }
  return text + "}";
}

std::string target_text(const Node& node) {
  if (!node.is_call()) return node.target;
  const Operator& callee = *node.callee;
  if (callee.kind == Operator::Kind::Overload) return callee.target;
  const std::string name = callee.target.substr(callee.target.rfind('.') + 1);
  if (callee.kind == Operator::Kind::HigherOrder) return name;
  const bool is_python_own = !callee.target.starts_with("torch.");
  return fmt::format("<{} {}>", is_python_own ? "built-in function" : "function", name);
}

}  // namespace fxcut
