#include "verify/terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fxcut {
namespace {

using Kind = Argument::Kind;

void append(const Argument& argument, CallText& call);

// The positions of 0 to `count`, by the names there.
std::vector<std::size_t> by_name(std::size_t count, const auto& name_at) {
  std::vector<std::size_t> positions(count);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  std::ranges::sort(positions, {}, [&](std::size_t i) { return std::string_view(name_at(i)); });
  return positions;
}

void append_items(const Argument& argument, CallText& call) {
  for (std::size_t i = 0; i < argument.items.size(); ++i) {
    if (i > 0) call.head += ", ";
    append(argument.items[i], call);
  }
}

void append_members(const Argument& dictionary, CallText& call) {
  bool is_first = true;
  for (const std::size_t i :
       by_name(dictionary.keys.size(), [&](std::size_t at) -> const std::string& { return dictionary.keys[at]; })) {
    call.head += fmt::format("{}'{}': ", std::exchange(is_first, false) ? "" : ", ", dictionary.keys[i]);
    append(dictionary.items[i], call);
  }
}

void append_real(double real, std::string& text) {
  const std::string digits = fmt::format("{}", real);
  text += digits;
  if (digits.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
}

void append(const Argument& argument, CallText& call) {
  std::string& text = call.head;
  const auto bracket = [&](std::string_view open, std::string_view close) {
    text += open;
    argument.kind == Kind::Dict ? append_members(argument, call) : append_items(argument, call);
    text += close;
  };
  switch (argument.kind) {
    case Kind::Node:
      text += kHole;
      call.operands.push_back(argument.index);
      return;
    case Kind::None: text += "None"; return;
    case Kind::Bool: text += argument.integer != 0 ? "True" : "False"; return;
    case Kind::Int: text += std::to_string(argument.integer); return;
    case Kind::BigInt: text += argument.text; return;
    case Kind::Float: return append_real(argument.real, text);
    case Kind::Complex:
      text += "complex(";
      append_real(argument.real, text);
      text += ", ";
      append_real(argument.imaginary, text);
      text += ")";
      return;
    case Kind::String: text += fmt::format("'{}'", argument.text); return;
    case Kind::List: return bracket("[", "]");
    case Kind::Tuple: return bracket("(", ")");
    case Kind::Slice: return bracket("slice(", ")");
    case Kind::Dict: return bracket("{", "}");
    case Kind::Dtype: text += "torch." + argument.text; return;
    case Kind::Device: text += fmt::format("device({})", argument.text); return;
    case Kind::Layout: text += fmt::format("layout({})", argument.text); return;
    case Kind::MemoryFormat: text += fmt::format("memory_format({})", argument.text); return;
    case Kind::Operator: text += fmt::format("op({})", argument.text); return;
    case Kind::Symbolic: text += fmt::format("sym({})", argument.text); return;
    case Kind::Opaque: text += fmt::format("opaque({})", argument.text); return;
  }
}

}  // namespace

Term Terms::make(std::string_view head, std::vector<Term> operands) {
  std::string content(head);
  content += '\0';
  for (const Term operand : operands) {
    const auto number = static_cast<std::uint32_t>(operand);
    content.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  const auto [found, is_new] = by_content_.try_emplace(std::move(content), static_cast<Term>(terms_.size()));
  if (is_new) terms_.push_back({std::string(head), std::move(operands)});
  return found->second;
}

std::vector<bool> Terms::contained_in(const std::vector<Term>& roots) const {
  std::vector<bool> reached(terms_.size(), false);
  for (const Term root : roots) reached[index_of(root)] = true;
  for (std::size_t i = terms_.size(); i-- > 0;) {
    if (!reached[i]) continue;
    for (const Term operand : terms_[i].operands) reached[index_of(operand)] = true;
  }
  return reached;
}

CallText call_text(std::string_view target, std::span<const Argument> positional, const KeywordArguments& keyword) {
  CallText call;
  call.head = target;
  call.head += '(';
  bool is_first = true;
  const auto separate = [&] { call.head += std::exchange(is_first, false) ? "" : ", "; };
  for (const Argument& argument : positional) {
    separate();
    append(argument, call);
  }
  for (const std::size_t i : by_name(keyword.size(), [&](std::size_t at) -> const std::string& { return keyword[at].first; })) {
    separate();
    call.head += keyword[i].first + "=";
    append(keyword[i].second, call);
  }
  call.head += ')';
  return call;
}

std::string constant_text(const Argument& constant) {
  CallText text;
  append(constant, text);
  return text.head;
}

}  // namespace fxcut
