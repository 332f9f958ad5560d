#include "graph_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ",")); }

// Kinds of arguments that are written as KIND(TEXT).
constexpr std::array<std::string_view, 6> kNamedKinds = {"dtype", "device", "layout", "memory_format", "op", "opaque"};

std::string_view full_dtype_name(std::string_view name) {
  if (name == "f16") return "float16";
  if (name == "f32") return "float32";
  if (name == "f64") return "float64";
  if (name == "bf16") return "bfloat16";
  if (name == "i32") return "int32";
  if (name == "i64") return "int64";
  return name;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// One line, from left to right.
class Line {
 public:
  explicit Line(std::string_view text) : line_(text), rest_(text) { skip_spaces(); }

  bool empty() const { return rest_.empty(); }
  bool at(char c) const { return rest_.starts_with(c); }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    skip_spaces();
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw InternalError(fmt::format("expected '{}' before '{}' in the line: {}", c, rest_, line_));
  }
  template <typename Belongs>
  std::string_view take_while(const Belongs& belongs) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), belongs);
    const std::string_view taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    skip_spaces();
    return taken;
  }
  std::string_view word() { return take_while(is_word_character); }
  std::string_view until_space() {
    return take_while([](char c) { return c != ' '; });
  }
  // What stands in parentheses, which may nest.
  std::string_view in_parentheses() {
    expect('(');
    int depth = 1;
    const std::string_view inside = take_while([&](char c) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      return depth > 0;
    });
    expect(')');
    return inside;
  }
  std::string string_literal() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2u : 1u;
    std::string literal(rest_.substr(0, end + 1));
    rest_.remove_prefix(literal.size());
    skip_spaces();
    return literal;
  }
  // ITEM, ITEM, .. up to `close`.
  template <typename Read>
  std::vector<std::string> items(char close, const Read& read) {
    std::vector<std::string> all;
    while (!take(close)) {
      all.push_back(read());
      if (!at(close)) expect(',');
    }
    return all;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string_view line_;
  std::string_view rest_;
};

std::string symbolic(std::string_view expression, std::string_view hint) {
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < expression.size();) {
    std::size_t end = i;
    while (end < expression.size() && std::isalnum(static_cast<unsigned char>(expression[end]))) ++end;
    const bool is_symbol = end > i && std::isalpha(static_cast<unsigned char>(expression[i])) &&
                           (end == expression.size() || expression[end] != '(');
    if (is_symbol) symbols.push_back(quoted(expression.substr(i, end - i)));
    i = std::max(end, i + 1);
  }
  return fmt::format("\"expr\":{},\"hint\":{},\"symbols\":[{}]", quoted(expression), hint, joined(symbols));
}

// "s0=16" or "u0".
std::string symbolic(std::string_view size) {
  const std::size_t equals = size.find('=');
  return equals == std::string_view::npos ? symbolic(size, "null")
                                          : symbolic(size.substr(0, equals), size.substr(equals + 1));
}

std::string size_json(std::string_view size) {
  const bool is_integer = size.find_first_not_of("-0123456789") == std::string_view::npos;
  return is_integer ? std::string(size) : fmt::format("{{{}}}", symbolic(size));
}

std::string sizes(Line& line, char close) {
  const auto belongs = [close](char c) { return c != ',' && c != close; };
  return joined(line.items(close, [&] { return size_json(line.take_while(belongs)); }));
}

std::string tensor(Line& line, std::string_view dtype) {
  std::string json = fmt::format("\"dtype\":{}", quoted(full_dtype_name(dtype)));
  line.expect('[');
  json += fmt::format(",\"shape\":[{}]", sizes(line, ']'));
  if (line.take('{')) json += fmt::format(",\"stride\":[{}]", sizes(line, '}'));
  if (line.take('@')) json += fmt::format(",\"storage\":{}", line.word());
  return json;
}

std::string value(Line& line) {
  const std::string_view kind = line.word();
  if (kind == "tuple") {
    line.expect('(');
    return fmt::format("{{\"kind\":\"tuple\",\"items\":[{}]}}", joined(line.items(')', [&] { return value(line); })));
  }
  if (kind == "symint" || kind == "symfloat" || kind == "symbool") {
    return fmt::format("{{\"kind\":\"{}\",{}}}", kind, symbolic(line.in_parentheses()));
  }
  if (kind == "other") return fmt::format("{{\"kind\":\"other\",\"type\":{}}}", quoted(line.in_parentheses()));
  if (!line.at('[')) return fmt::format("{{\"kind\":\"{}\"}}", kind);
  std::string json = "{\"kind\":\"tensor\"," + tensor(line, kind);
  Line ahead = line;
  if (ahead.word() == "on") {
    line = ahead;
    json += ",\"device\":" + quoted(line.take_while([](char c) { return c != ' ' && c != ',' && c != ')'; }));
  }
  return json + "}";
}

std::string argument(Line& line);

std::string arguments(Line& line, char close) {
  return joined(line.items(close, [&] { return argument(line); }));
}

// A word that begins an argument, read already.
std::string named_argument(Line& line, std::string_view word) {
  if (word == "None") return "null";
  if (word == "True") return "true";
  if (word == "False") return "false";
  if (word == "inf" || word == "nan") return fmt::format("{{\"float\":\"{}\"}}", word);
  if (!line.at('(')) return fmt::format("{{\"node\":{}}}", quoted(word));
  if (word == "sym") return fmt::format("{{\"sym\":{}}}", size_json(line.in_parentheses()));
  if (std::find(kNamedKinds.begin(), kNamedKinds.end(), word) != kNamedKinds.end()) {
    return fmt::format("{{\"{}\":{}}}", word, quoted(line.in_parentheses()));
  }
  line.expect('(');
  return fmt::format("{{\"{}\":[{}]}}", word, arguments(line, ')'));  // slice, complex
}

std::string argument(Line& line) {
  if (line.take('[')) return fmt::format("[{}]", arguments(line, ']'));
  if (line.take('(')) return fmt::format("{{\"tuple\":[{}]}}", arguments(line, ')'));
  if (line.take('{')) {
    return fmt::format("{{\"dict\":{{{}}}}}", joined(line.items('}', [&] {
                         const std::string key = line.string_literal();
                         line.expect(':');
                         return key + ":" + argument(line);
                       })));
  }
  if (line.at('"')) return line.string_literal();
  const std::string_view word = line.take_while([](char c) { return is_word_character(c) || c == '-' || c == '+'; });
  if (word == "-inf") return "{\"float\":\"-inf\"}";
  const bool is_number =
      word.starts_with('-') || (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())));
  return is_number ? std::string(word) : named_argument(line, word);
}

// The arguments of a call: positional ones, then KEY=ARGUMENT.
std::string call_arguments(Line& line) {
  line.expect('(');
  std::vector<std::string> keyword;
  std::vector<std::string> positional = line.items(')', [&] {
    Line ahead = line;
    const std::string_view key = ahead.word();
    if (key.empty() || !ahead.take('=')) return argument(line);
    line = ahead;
    keyword.push_back(quoted(key) + ":" + argument(line));
    return std::string();
  });
  std::erase(positional, "");
  std::string json = fmt::format(",\"args\":[{}]", joined(positional));
  if (!keyword.empty()) json += fmt::format(",\"kwargs\":{{{}}}", joined(keyword));
  return json;
}

// The document in the making.
class Notation {
 public:
  void add(std::string_view text) {
    Line line(text);
    if (line.empty() || line.at('#')) return;
    if (line.at('"')) {
      members_.emplace_back(text);
      return;
    }
    const std::string_view name = line.word();
    if (name == "return") {
      add_output(line);
    } else {
      line.expect('=');
      add_node(name, line);
    }
  }

  std::string joint_json() const {
    return fmt::format(
        "{{\"format\":\"fx-joint-graph\",\"version\":1,\"name\":\"test\",\"num_fwd_outputs\":{},"
        "\"static_lifetime_inputs\":[{}],{}\"nodes\":[\n{}]}}",
        num_forward_outputs_, joined(static_), members(), fmt::join(nodes_, ",\n"));
  }
  std::string subgraph_json() const { return fmt::format("{{{}\"nodes\":[{}]}}", members(), joined(nodes_)); }

 private:
  std::string members() const { return members_.empty() ? "" : joined(members_) + ","; }

  void add_node(std::string_view name, Line& line) {
    std::string json = fmt::format("{{\"name\":{}", quoted(name));
    const std::string_view target = line.word();
    if (target == "placeholder" || target == "get_attr") {
      Line ahead = line;
      const std::string_view given = ahead.word();
      const bool has_target = !given.empty() && given != "static" && !ahead.at('=');
      if (has_target) line = ahead;
      json += fmt::format(",\"op\":\"{}\",\"target\":{}", target, quoted(has_target ? given : name));
    } else {
      json += fmt::format(",\"op\":\"call_function\",\"target\":{}{}", quoted(target), call_arguments(line));
    }
    if (line.take(':')) json += ",\"val\":" + value(line);
    nodes_.push_back(json + words(name, line) + "}");
  }

  // What stands behind the value.
  std::string words(std::string_view name, Line& line) {
    std::string outside;
    std::vector<std::string> meta;
    while (!line.empty()) {
      const std::string_view key = line.word();
      if (key == "static") {
        static_.push_back(quoted(name));
        continue;
      }
      line.expect('=');
      if (key == "tensor_meta") {
        const std::string_view dtype = line.word();
        outside += fmt::format(",\"tensor_meta\":{{{}}}", tensor(line, dtype));
        continue;
      }
      const std::string_view content = line.until_space();
      const bool is_word = std::isalpha(static_cast<unsigned char>(content.front())) && content != "true" &&
                           content != "false" && content != "null";
      meta.push_back(quoted(key) + ":" + (is_word ? quoted(content) : std::string(content)));
    }
    if (!meta.empty()) outside += fmt::format(",\"meta\":{{{}}}", joined(meta));
    return outside;
  }

  void add_output(Line& line) {
    std::vector<std::string> leaves;
    while (!line.empty()) {
      if (line.take('|')) {
        num_forward_outputs_ = leaves.size();
        split_ = true;
        continue;
      }
      leaves.push_back(argument(line));
      if (!line.empty() && !line.at('|')) line.expect(',');
    }
    if (!split_) num_forward_outputs_ = leaves.size();
    nodes_.push_back(
        fmt::format("{{\"name\":\"output\",\"op\":\"output\",\"target\":\"output\",\"args\":[[{}]]}}", joined(leaves)));
  }

  std::vector<std::string> members_, nodes_, static_;
  std::size_t num_forward_outputs_ = 0;
  bool split_ = false;
};

Notation parse(std::string_view text) {
  Notation notation;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    notation.add(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return notation;
}

std::string text_of(const Graph& graph, const Node& node, const Argument& argument);

std::string items_text(const Graph& graph, const Node& node, const std::vector<Argument>& items) {
  std::vector<std::string> texts;
  for (const Argument& item : items) texts.push_back(text_of(graph, node, item));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string text_of(const Graph& graph, const Node& node, const Argument& argument) {
  using Kind = Argument::Kind;
  switch (argument.kind) {
    case Kind::Node: return graph[node.inputs[argument.index]].name;
    case Kind::None: return "None";
    case Kind::Bool: return argument.integer != 0 ? "True" : "False";
    case Kind::Int: return std::to_string(argument.integer);
    case Kind::Float: return fmt::format("{:#}", argument.real);
    case Kind::Complex: return fmt::format("complex({}, {})", argument.real, argument.imaginary);
    case Kind::String: return quoted(argument.text);
    case Kind::List: return fmt::format("[{}]", items_text(graph, node, argument.items));
    case Kind::Tuple: return fmt::format("({})", items_text(graph, node, argument.items));
    case Kind::Slice: return fmt::format("slice({})", items_text(graph, node, argument.items));
    case Kind::Dict:
      return fmt::format("{{{}: {}}}", fmt::join(argument.keys, "/"), items_text(graph, node, argument.items));
    case Kind::Operator: return fmt::format("op({})", argument.text);
    default: return argument.text;
  }
}

std::string text_of(const Graph& graph, const Node& node) {
  if (node.is_placeholder() && node.target == node.name) return fmt::format("{} = placeholder", node.name);
  if (node.is_placeholder()) return fmt::format("{} = placeholder {}", node.name, node.target);
  if (node.opcode == Opcode::GetAttr) return fmt::format("{} = get_attr {}", node.name, node.target);
  std::vector<std::string> arguments;
  for (const Argument& argument : node.arguments->positional) arguments.push_back(text_of(graph, node, argument));
  if (node.is_output()) return "return " + items_text(graph, node, node.arguments->positional.front().items);
  for (const auto& [key, argument] : node.arguments->keyword) {
    arguments.push_back(fmt::format("{}={}", key, text_of(graph, node, argument)));
  }
  return fmt::format("{} = {}({})", node.name, node.callee->target, fmt::join(arguments, ", "));
}

}  // namespace

std::string joint_json(std::string_view text) { return parse(text).joint_json(); }

JointGraph joint_graph(std::string_view text) {
  return read_joint_graph(*Document::parse(joint_json(text), "test.json"));
}

std::string subgraphs_line(const std::vector<std::pair<std::string, std::string>>& subgraphs) {
  std::vector<std::string> members;
  for (const auto& [name, text] : subgraphs) members.push_back(quoted(name) + ":" + parse(text).subgraph_json());
  return fmt::format("\"subgraphs\": {{{}}}\n", joined(members));
}

std::string made_by(Release release) { return fmt::format("\"producer\": \"torch {}.0\"\n", release.version()); }

std::string text_of(const Graph& graph) {
  std::string text;
  for (const Node& node : graph.nodes) text += text_of(graph, node) + "\n";
  return text;
}

std::string names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  return fmt::format("{}", fmt::join(names, " "));
}

NodeId id_named(const Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].name == name) return node_id(i);
  }
  throw InternalError(fmt::format("no node is named {}", name));
}

const Node& node_named(const Graph& graph, std::string_view name) { return graph[id_named(graph, name)]; }

}  // namespace fxcut
