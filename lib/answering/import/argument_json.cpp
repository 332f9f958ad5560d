#include "import/argument_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "diagnostic/diagnostic.h"
#include "json/document.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

constexpr std::array<std::string_view, 9> kLayouts = {
    "strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn", "jagged", "mkldnn"};
constexpr std::array<std::string_view, 4> kMemoryFormats = {"contiguous_format", "preserve_format", "channels_last",
                                                            "channels_last_3d"};

bool contains(const auto& names, std::string_view name) { return std::ranges::find(names, name) != std::end(names); }

// torch.utils._sympy.symbol: a prefix of letters, then a number.
bool is_symbol_name(std::string_view name) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"s", "u", "zf", "zuf"};
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  return digits < name.size() && contains(kPrefixes, name.substr(0, digits)) &&
         name.find_first_not_of("0123456789", digits) == std::string_view::npos;
}

// A part of a complex number as repr writes it: a number with an optional sign.
std::string signed_number(const PythonExpression& number) {
  if (number.is(Kind::Unary) && number.text == "-") return "-" + signed_number(number.items[0]);
  const bool is_number = number.is(Kind::Integer) || number.is(Kind::Real) || number.is(Kind::Imaginary);
  return is_number ? json_number(number.text) : "";
}

bool is_imaginary(const PythonExpression& number) {
  return number.is(Kind::Imaginary) || (number.is(Kind::Unary) && is_imaginary(number.items[0]));
}

}  // namespace

std::string json_number(std::string_view digits) {
  std::string number(digits);
  if (number.starts_with('.')) number.insert(0, "0");
  const std::size_t point = number.find('.');
  const bool lacks_fraction =
      point != std::string::npos &&
      (point + 1 == number.size() || std::isdigit(static_cast<unsigned char>(number[point + 1])) == 0);
  if (lacks_fraction) number.insert(point + 1, "0");
  return number;
}

void ArgumentWriter::append(const TextGraph& graph, std::size_t reader, const PythonExpression& argument, std::string& out) {
  graph_ = &graph;
  reader_ = reader;
  switch (argument.kind) {
    case Kind::Name: return append_name(argument, out);
    case Kind::Integer:
    case Kind::Real: return void(out += json_number(argument.text));
    case Kind::String: return append_json_string(argument.text, out);
    case Kind::Call: return append_call(argument, out);
    case Kind::Dict: return append_dict(argument, out);
    case Kind::Ellipsis: return append_opaque("ellipsis", out);
    case Kind::Object: return append_opaque(argument.text.substr(0, argument.text.find(' ')), out);
    case Kind::List: return append_items(argument.items, out);
    case Kind::Tuple:
      out += "{\"tuple\":";
      append_items(argument.items, out);
      out += '}';
      return;
    case Kind::Unary:
    case Kind::Binary:
    case Kind::Imaginary: return append_signed(argument, out);
    case Kind::Subscript:
    case Kind::Slice:
    case Kind::Attribute: break;
  }
  refuse_text(file_, argument.place, "expected a value or the name of a node");
}

void ArgumentWriter::append_items(const std::vector<PythonExpression>& items, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ',';
    append(*graph_, reader_, items[i], out);
  }
  out += ']';
}

void ArgumentWriter::append_tagged(std::string_view tag, std::string_view text, std::string& out) {
  ((out += "{\"") += tag) += "\":";
  append_json_string(text, out);
  out += '}';
}

void ArgumentWriter::append_opaque(std::string_view type, std::string& out) {
  ++opaque_arguments_;
  append_tagged("opaque", type, out);
}

void ArgumentWriter::append_name(const PythonExpression& name, std::string& out) {
  const auto node = graph_->index.find(name.text);
  if (node != graph_->index.end() && node->second < reader_) return append_tagged("node", name.text, out);
  if (name.text == "None") return void(out += "null");
  if (name.text == "True" || name.text == "False") return void(out += name.text == "True" ? "true" : "false");
  if (name.text == "inf" || name.text == "nan") return append_tagged("float", name.text, out);
  if (name.text.starts_with("torch.ops.")) return append_tagged("op", name.text.substr(10), out);
  if (name.text.starts_with("torch.")) {
    const std::string bare = name.text.substr(6);
    if (find_dtype(bare)) return append_tagged("dtype", bare, out);
    if (contains(kLayouts, bare)) return append_tagged("layout", bare, out);
    if (contains(kMemoryFormats, bare)) return append_tagged("memory_format", bare, out);
  }
  if (is_size(name)) return void(out += "{\"sym\":" + annotations_.size_json(name) + "}");
  if (name.text.find('.') != std::string::npos) return append_opaque(name.text, out);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < reader_; ++i) names.push_back(graph_->nodes[i].name);
  refuse_text(file_, name.place, fmt::format("'{}' is not an earlier value", name.text), did_you_mean(name.text, names));
}

bool ArgumentWriter::is_size(const PythonExpression& argument) const {
  if (argument.is(Kind::Name)) return is_symbol_name(argument.text);
  if (argument.is(Kind::Integer)) return true;
  const bool computes = argument.is(Kind::Binary) || argument.is(Kind::Unary) ||
                        (argument.is(Kind::Call) && argument.items[0].is(Kind::Name) && argument.keywords.empty());
  if (!computes) return false;
  const auto first = argument.items.begin() + (argument.is(Kind::Call) ? 1 : 0);
  return first != argument.items.end() &&
         std::all_of(first, argument.items.end(), [&](const PythonExpression& item) { return is_size(item); });
}

void ArgumentWriter::append_signed(const PythonExpression& argument, std::string& out) {
  if (append_complex(argument, out)) return;
  if (argument.is(Kind::Unary) && argument.text == "-") {
    const PythonExpression& number = argument.items[0];
    if (number.is_name("inf")) return append_tagged("float", "-inf", out);
    if (number.is(Kind::Integer) || number.is(Kind::Real)) return void(out += "-" + json_number(number.text));
  }
  if (!is_size(argument)) refuse_text(file_, argument.place, "expected a value or an expression of symbolic sizes");
  out += "{\"sym\":" + annotations_.size_json(argument) + "}";
}

// "1j" or "1.5-2j".
bool ArgumentWriter::append_complex(const PythonExpression& argument, std::string& out) {
  if (is_imaginary(argument)) {
    out += fmt::format("{{\"complex\":[0.0,{}]}}", signed_number(argument));
    return true;
  }
  const bool adds = argument.is(Kind::Binary) && (argument.text == "+" || argument.text == "-");
  if (!adds || !argument.items[1].is(Kind::Imaginary)) return false;
  const std::string real = signed_number(argument.items[0]);
  if (real.empty()) return false;
  out += fmt::format("{{\"complex\":[{},{}{}]}}", real, argument.text == "-" ? "-" : "", signed_number(argument.items[1]));
  return true;
}

void ArgumentWriter::append_call(const PythonExpression& call, std::string& out) {
  const PythonExpression& callee = call.items[0];
  if (callee.is_name("slice") && call.items.size() == 4) {
    out += "{\"slice\":";
    append_items({call.items.begin() + 1, call.items.end()}, out);
    out += '}';
  } else if (callee.is_name("device") || callee.is_name("torch.device")) {
    std::string device = call.items.size() > 1 ? call.items[1].text : "";
    for (const auto& [key, value] : call.keywords) {
      if (key == "type") device = value.text;
    }
    for (const auto& [key, value] : call.keywords) {
      if (key == "index") (device += ':') += value.text;
    }
    append_tagged("device", device, out);
  } else if (is_size(call)) {
    out += "{\"sym\":" + annotations_.size_json(call) + "}";
  } else {
    append_opaque(callee.text, out);
  }
}

void ArgumentWriter::append_dict(const PythonExpression& dict, std::string& out) {
  out += "{\"dict\":{";
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    if (i > 0) out += ',';
    append_json_string(dict.items[i].text, out);
    out += ':';
    append(*graph_, reader_, dict.items[i + 1], out);
  }
  out += "}}";
}

}  // namespace fxcut
