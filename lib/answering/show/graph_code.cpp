#include "show/graph_code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "show/magic_methods.h"
#include "show/python_argument.h"
#include "show/python_text.h"
#include "text/printable.h"

namespace fxcut {
namespace {

// "self.layers.weight"; with getattr for names that are not identifiers: getattr(self.layers, "0").
std::string attribute_of(std::string base, std::string_view path) {
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    base = is_python_identifier(name) ? fmt::format("{}.{}", base, name)
                                      : fmt::format("getattr({}, \"{}\")", base, name);
    if (dot == std::string_view::npos) return base;
    path.remove_prefix(dot + 1);
  }
}

// For each node: the values without a later user, in the order of its inputs; its own if it has no users. Empty for placeholders
// and the output, after which nothing is freed.
std::vector<std::vector<NodeId>> freed_after(const Graph& graph) {
  std::vector<std::vector<NodeId>> freed(graph.size());
  std::vector<bool> is_used(graph.size());
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    const bool frees = !node.is_placeholder() && !node.is_output();
    const bool is_dead = !is_used[i];
    for (const NodeId input : node.inputs) {
      if (is_used[index_of(input)]) continue;
      is_used[index_of(input)] = true;
      if (frees) freed[i].push_back(input);
    }
    if (is_dead && frees) freed[i].push_back(node_id(i));
  }
  return freed;
}

// The lists of a joint graph's inputs: those of primals, those of tangents, others alone.
std::vector<std::string> input_lists(const Graph& graph) {
  std::vector<std::string> lists;
  for (const Node& node : graph.nodes) {
    if (!node.is_placeholder()) continue;
    const std::string list = printable(node.target.substr(0, node.target.find_last_not_of("0123456789_") + 1));
    if (lists.empty() || lists.back() != list) lists.push_back(list);
  }
  return lists;
}

std::string definition(std::vector<std::string> parameters) {
  if (parameters.empty() || parameters.front() != "self") parameters.insert(parameters.begin(), "self");
  return fmt::format("def forward({}):", fmt::join(parameters, ", "));
}

std::string indented(std::string_view text) {
  std::string out = "    ";
  for (const char c : text) (out += c) += c == '\n' ? "    " : "";
  return out;
}

class CodeWriter {
 public:
  CodeWriter(const Graph& graph, const CodeStyle& style)
      : graph_(graph), style_(style), names_(graph), arguments_(names_, style.release) {}

  std::string write() {
    const auto freed = freed_after(graph_);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      write_comment(graph_.nodes[i]);
      const std::string line = printable(statement(node_id(i)));
      if (line.empty()) continue;  // an input whose parameter has its name
      body_ += line;
      if (!freed[i].empty()) {
        body_ += ";  ";
        for (const NodeId id : freed[i]) body_ += names_.variable(id) + " = ";
        body_ += "None";
      }
      body_ += "\n";
    }
    body_.erase(0, body_.find_first_not_of('\n'));
    const std::string signature = style_.as_traced ? traced_signature() : definition(parameters_);
    return "\n\n\n" + signature + "\n" + indented(body_);
  }

 private:

  std::string statement(NodeId id) {
    const Node& node = graph_[id];
    switch (node.opcode) {
      case Opcode::Placeholder: {
        parameters_.push_back(printable(node.target + annotation(node)));
        std::string parameter = node.target;
        std::erase(parameter, '*');
        const std::string& variable = names_.variable(id);
        return parameter == variable ? "" : fmt::format("{} = {}", variable, parameter);
      }
      case Opcode::CallFunction: return call(id);
      case Opcode::GetAttr: {
        const std::string variable = assigned(id);
        return variable + " = " + attribute_of("self", node.target);
      }
      case Opcode::Output: return returned(node);
    }
    return "";
  }

  std::string call(NodeId id) {
    const Node& node = graph_[id];
    const MagicMethod* method = find_magic_method(node.callee->target);
    if (method && node.arguments->positional.size() >= method->operands) return operation(id, *method);
    if (std::string text = attribute_call(id); !text.empty()) return text;
    const std::string function = names_.function(*node.callee);
    const std::string variable = assigned(id);
    return fmt::format("{} = {}({})", variable, function, arguments_.list(node));
  }

  std::string operation(NodeId id, const MagicMethod& method) {
    const Node& node = graph_[id];
    std::string variable = names_.variable(id);
    std::vector<std::string> operands;
    for (const Argument& argument : node.arguments->positional) operands.push_back(arguments_.text(node, argument));
    const std::string expression = apply_magic_method(method, operands);
    variable += annotation(node);
    return method.assigns ? fmt::format("{};  {} = {}", expression, variable, operands.front())
                          : fmt::format("{} = {}", variable, expression);
  }

  // getattr with a name that can follow a dot; empty if the call is another one.
  std::string attribute_call(NodeId id) {
    const Node& node = graph_[id];
    const auto& positional = node.arguments->positional;
    if (!node.calls("builtins.getattr") || positional.size() != 2) return "";
    const Argument& name = positional[1];
    if (name.kind != Argument::Kind::String || !is_python_identifier(name.text)) return "";
    const std::string variable = assigned(id);
    return variable + " = " + attribute_of(arguments_.text(node, positional.front()), name.text);
  }

  std::string returned(const Node& output) {
    const auto& positional = output.arguments->positional;
    const std::string value = positional.empty() ? "None" : arguments_.text(output, positional.front());
    return style_.as_traced ? fmt::format("return pytree.tree_unflatten({}, self._out_spec)", value) : "return " + value;
  }

  // The definition with lists as parameters, and the line that unpacks them.
  std::string traced_signature() const {
    const std::vector<std::string> lists = input_lists(graph_);
    std::string text = definition(lists);
    if (parameters_.empty()) return text;
    std::vector<std::string> annotated, bare;
    for (const std::string& parameter : parameters_) {
      const std::size_t colon = parameter.find(':');
      if (colon != std::string::npos) annotated.push_back(parameter);
      bare.push_back(parameter.substr(0, colon));
    }
    if (!annotated.empty()) {
      text += fmt::format("\n    {};{}\n", fmt::join(annotated, "; "), style_.release.has(Change::PrintedCode) ? "" : " ");
    }
    return text + fmt::format("\n    {}, = fx_pytree.tree_flatten_spec([{}], self._in_spec)", fmt::join(bare, ", "),
                              fmt::join(lists, ", "));
  }

  std::string annotation(const Node& node) const { return style_.notes ? style_.notes->annotation(node) : ""; }

  void write_comment(const Node& node) {
    if (!style_.notes || node.is_placeholder() || node.is_output()) return;
    std::string comment = printable(style_.notes->comment(node));
    if (comment == last_comment_) return;
    body_ += "\n" + comment + "\n";
    last_comment_ = std::move(comment);
  }

  std::string assigned(NodeId id) { return names_.variable(id) + annotation(graph_[id]); }

  const Graph& graph_;
  const CodeStyle& style_;
  PythonNames names_;
  CodeArguments arguments_;
  std::vector<std::string> parameters_;
  std::string last_comment_;
  std::string body_;
};

}  // namespace

std::string graph_code(const Graph& graph, const CodeStyle& style) { return CodeWriter(graph, style).write(); }

}  // namespace fxcut
