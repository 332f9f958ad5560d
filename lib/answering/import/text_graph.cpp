#include "import/text_graph.h"

#include <fmt/format.h>

#include <array>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// torch.fx prints calls of the module `operator` as operators (torch.fx.graph.magic_methods). If two functions print alike, this
// has the one for symbolic sizes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kBinaryTargets = {{
    {"==", "eq"}, {"!=", "ne"}, {"<", "lt"}, {">", "gt"}, {"<=", "le"}, {">=", "ge"}, {"+", "add"}, {"-", "sub"},
    {"*", "mul"}, {"//", "floordiv"}, {"/", "truediv"}, {"%", "mod"}, {"**", "pow"}, {"<<", "lshift"}, {">>", "rshift"},
    {"&", "and_"}, {"|", "or_"}, {"^", "xor"}, {"@", "matmul"}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kUnaryTargets = {
    {{"-", "neg"}, {"+", "pos"}, {"~", "invert"}}};

template <typename Rows>
std::string operator_target(const Rows& rows, std::string_view sign) {
  for (const auto& [known, name] : rows) {
    if (known == sign) return "operator." + std::string(name);
  }
  return "operator." + std::string(sign);
}

// Functions of Python's modules are printed as one name: "math_ceil".
std::string plain_function_target(const std::string& name) {
  for (const std::string_view module : {"math", "operator"}) {
    for (const std::string_view separator : {"_", "."}) {
      const std::string prefix = std::string(module) + std::string(separator);
      if (name.starts_with(prefix)) return std::string(module) + "." + name.substr(prefix.size());
    }
  }
  if (name.starts_with("_operator.")) return name.substr(1);
  return name.find('.') == std::string::npos ? "builtins." + name : name;
}

std::string call_target(const std::string& name) {
  constexpr std::string_view kOperators = "torch.ops.";
  if (name.starts_with(kOperators)) return name.substr(kOperators.size());
  return name.starts_with("torch.") ? name : plain_function_target(name);
}

std::string since(TextPlace place) { return place.line == 0 ? "" : fmt::format(", first in line {}", place.line); }

class StatementReader {
 public:
  StatementReader(std::string_view file, AnnotationReader& annotations) : file_(file), annotations_(annotations) {}

  TextGraph read(GraphText text) {
    TextGraph graph;
    graph.nodes.reserve(text.statements.size() + 1);
    for (TextStatement& statement : text.statements) add(graph, read_statement(std::move(statement)));
    TextNode output;
    output.name = "output";
    for (std::size_t i = 1; graph.index.contains(output.name); ++i) output.name = fmt::format("output_{}", i);
    output.opcode = Opcode::Output;
    output.target = "output";
    output.place = text.returned_at;
    output.arguments.push_back(std::move(text.returned));
    add(graph, std::move(output));
    graph.output_descriptions = std::move(text.output_descriptions);
    for (GraphText& nested : text.nested) {
      std::string name = nested.name;
      graph.subgraphs.push_back({std::move(name), read(std::move(nested))});
    }
    return graph;
  }

 private:
  TextNode read_statement(TextStatement statement) {
    TextNode node;
    node.name = statement.name;
    node.place = statement.place;
    node.comment = statement.comment;
    node.description = std::move(statement.description);
    if (statement.annotation) node.value = annotations_.read(statement.annotation->text, statement.annotation->place);
    read_value(statement, node);
    return node;
  }

  void read_value(TextStatement& statement, TextNode& node) {
    PythonExpression& value = statement.value;
    if (statement.is_parameter) {
      node.opcode = Opcode::Placeholder;
      node.target = value.text;
    } else if (auto path = attribute_path(value)) {
      node.opcode = Opcode::GetAttr;
      node.target = std::move(*path);
    } else if (value.is(Kind::Call)) {
      read_call(std::move(value), node);
    } else if (value.is(Kind::Subscript) || value.is(Kind::Binary) || value.is(Kind::Unary)) {
      node.target = value.is(Kind::Subscript) ? "operator.getitem"
                    : value.is(Kind::Binary)  ? operator_target(kBinaryTargets, value.text)
                                              : operator_target(kUnaryTargets, value.text);
      node.arguments = std::move(value.items);
    } else {
      refuse_text(file_, value.place, "expected a call, an item, or an operator on sizes");
    }
  }

  void read_call(PythonExpression call, TextNode& node) {
    const PythonExpression& callee = call.items[0];
    const std::string_view first = std::string_view(callee.text).substr(0, callee.text.find('.'));
    const bool is_function = callee.is(Kind::Name) && callee.text.find('.') == std::string::npos;
    const bool is_of_module = first == "torch" || first == "math" || first == "operator" || first == "_operator" ||
                              first == "builtins" || first == "fx_pytree";
    if (!is_function && !is_of_module) {
      refuse_text(file_, callee.place, fmt::format("'{}' calls a method or a module", callee.text),
                  "a joint graph calls operators only; is this the graph before AOTAutograd?");
    }
    node.target = call_target(callee.text);
    node.arguments.assign(std::make_move_iterator(call.items.begin() + 1), std::make_move_iterator(call.items.end()));
    node.keywords = std::move(call.keywords);
  }

  // "self.layer.weight" or getattr(self.layer, "0"): the path within the module.
  std::optional<std::string> attribute_path(const PythonExpression& value) {
    constexpr std::string_view kSelf = "self.";
    if (value.is(Kind::Name) && value.text.starts_with(kSelf)) return value.text.substr(kSelf.size());
    const bool gets = value.is(Kind::Call) && value.items[0].is_name("getattr") && value.items.size() == 3;
    if (!gets || !value.items[2].is(Kind::String)) return std::nullopt;
    if (value.items[1].is_name("self")) return value.items[2].text;
    const auto owner = attribute_path(value.items[1]);
    return owner ? std::optional(*owner + "." + value.items[2].text) : std::nullopt;
  }

  void add(TextGraph& graph, TextNode node) {
    const auto [entry, is_new] = graph.index.emplace(node.name, graph.nodes.size());
    if (!is_new) {
      refuse_text(
          file_, node.place,
          fmt::format("'{}' is defined twice{}", node.name, since(graph.nodes[entry->second].place)),
          "each name is defined once");
    }
    graph.nodes.push_back(std::move(node));
  }

  std::string_view file_;
  AnnotationReader& annotations_;
};

}  // namespace

TextGraph make_text_graph(GraphText text, std::string_view file, AnnotationReader& annotations) {
  return StatementReader(file, annotations).read(std::move(text));
}

}  // namespace fxcut
