// The arguments of a call, as a tree of Python's kinds of values. A reference to a node is a position in the node's
// `inputs`, so that every graph with a copy of the node shares one tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fxcut {

struct Operator;

struct Argument {
  enum class Kind {
    Node,          // index: position in the node's inputs
    None,
    Bool,          // integer: 0 or 1
    Int,           // integer
    BigInt,        // text: decimal digits, beyond 64 bits
    Float,         // real
    Complex,       // real, imaginary
    String,        // text
    List,          // items
    Tuple,         // items
    Slice,         // items: start, stop, step
    Dict,          // keys, items
    Dtype,         // text
    Device,        // text
    Layout,        // text
    MemoryFormat,  // text
    Operator,      // text: target of an operator passed as a value; callee: its facts
    Symbolic,      // text: the JSON of the size; a SymInt that no node computes
    Opaque,        // text: type name
  };

  Kind kind = Kind::None;
  std::uint32_t index = 0;
  std::int64_t integer = 0;
  double real = 0;
  double imaginary = 0;
  std::string text;
  std::vector<std::string> keys;
  std::vector<Argument> items;
  const Operator* callee = nullptr;

  bool is_true() const { return kind == Kind::Bool && integer != 0; }
  // Of an Int or a Float.
  double number() const { return kind == Kind::Float ? real : static_cast<double>(integer); }
};

// A reference to that position of the inputs.
inline Argument reference_to_input(std::size_t position) {
  Argument reference;
  reference.kind = Argument::Kind::Node;
  reference.index = static_cast<std::uint32_t>(position);
  return reference;
}

// The arguments of a node. Order is Python's: positional first, keywords as written.
struct Arguments {
  std::vector<Argument> positional;
  std::vector<std::pair<std::string, Argument>> keyword;

  // The keyword argument of that name, or null.
  const Argument* find(std::string_view name) const {
    for (const auto& [key, value] : keyword) {
      if (key == name) return &value;
    }
    return nullptr;
  }
};

// Calls `visit` with each leaf by torch.utils._pytree's rules: lists, tuples and dicts have leaves, but a slice is one.
template <typename Visit>
void for_each_leaf(const Argument& argument, const Visit& visit) {
  switch (argument.kind) {
    case Argument::Kind::List:
    case Argument::Kind::Tuple:
    case Argument::Kind::Dict:
      for (const Argument& item : argument.items) for_each_leaf(item, visit);
      return;
    default:
      visit(argument);
  }
}

}  // namespace fxcut
