// A graph in the format of PyTorch's GraphModule.print_readable: its code within a class, with dtype, shape and source line
// of each value; after it the graphs that it refers to, as nested classes.
//
//     class GraphModule(torch.nn.Module):
//         def forward(self, primals_1: "f32[64, 128]"):
//             # File: model.py:12 in forward
//             mul: "f32[64, 128]" = torch.ops.aten.mul.Tensor(primals_1, 2);  primals_1 = None
//
// The source line itself, which PyTorch shows after "code:", is not in a graph's file. Source: _print_readable of
// torch/fx/graph_module.py, CodeGen of torch/fx/graph.py.
#include "show/show_graph.h"

#include <fmt/format.h>

#include <unordered_map>

#include "graph/checkpoint_policy.h"
#include "graph/value.h"
#include "json/fields.h"
#include "python_text/annotation.h"
#include "show/python_text.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// The dtype itself if PyTorch has no abbreviation, and fails.
std::string_view abbreviated(const Dtype& dtype) {
  const std::string_view abbreviation = dtype_abbreviation(dtype.name);
  return abbreviation.empty() ? dtype.name : abbreviation;
}

std::string annotate(const Node& node) {
  const Value* value = node.value ? node.value.get() : node.tensor_meta.get();
  if (!value) return "";
  if (value->is_symbolic()) return fmt::format(": \"Sym({})\"", value->expression ? value->expression->text : "");
  if (!value->is_tensor()) return "";
  return fmt::format(": \"{}{}\"", abbreviated(*value->tensor.dtype), show_shape(value->tensor.shape));
}

std::string python_value(const JsonValue& json) {
  switch (json.type()) {
    case Type::Null: return "None";
    case Type::Bool: return json.boolean() ? "True" : "False";
    case Type::Integer: return std::to_string(json.integer());
    case Type::BigInteger: return std::string(json.text());
    case Type::Real: return python_float(json.real());
    case Type::String: return python_string(json.text());
    case Type::Array:
    case Type::Object: break;
  }
  const bool is_object = json.is(Type::Object);
  std::string text;
  for (const JsonValue item : json) {
    if (!text.empty()) text += ", ";
    if (is_object) text += python_string(item.key()) + ": ";
    text += python_value(item);
  }
  return is_object ? "{" + text + "}" : "[" + text + "]";
}

constexpr std::size_t kMaxCharacters = 40;

std::string_view beginning(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (begins && characters++ == kMaxCharacters) return text.substr(0, i);
  }
  return text;
}

// The user's annotation of the node (meta.custom), long values shortened.
std::string annotation_of(const JsonValue& custom) {
  if (!custom.is(Type::Object) || custom.empty()) return "";
  std::string items;
  for (const JsonValue item : custom) {
    const std::string text = item.is(Type::String) ? std::string(item.text()) : python_value(item);
    const std::string_view begin = beginning(text);
    if (!items.empty()) items += ", ";
    items += python_string(item.key()) + ": ";
    items += begin.size() < text.size() ? python_string(std::string(begin) + "...") : python_value(item);
  }
  return " Annotation: {" + items + "}";
}

std::string recompute_info(const Meta& meta) {
  const std::string policy = meta.recompute ? std::string(name_of(*meta.recompute)) : "";
  if (!meta.ac_graph_id) return policy.empty() ? "" : " recompute: " + policy;
  return fmt::format(" ac_graph_id: {}{}{}", *meta.ac_graph_id, policy.empty() ? "" : " - ", policy);
}

std::string source_of(const Node& node) {
  if (!node.provenance || node.provenance->source_file.empty()) return "No stacktrace found for following nodes";
  const Provenance& from = *node.provenance;
  return fmt::format("File: {}:{} in {}", from.source_file, from.source_line, from.source_function);
}

std::string comment_on(const Node& node, const Document& document) {
  std::string annotation;
  if (node.origin != kNoOrigin) {
    const auto meta = member(document.at(node.origin), "meta");
    const auto custom = meta ? member(*meta, "custom") : std::nullopt;
    if (custom) annotation = annotation_of(*custom);
  }
  return fmt::format("#{}{} {}", annotation, recompute_info(node.meta), source_of(node));
}

// Indents all lines but the first by four spaces, and empties lines of white space.
std::string indented_but_first(std::string_view text) {
  std::size_t end = text.find('\n');
  std::string out(text.substr(0, end));
  while (end != std::string_view::npos) {
    text.remove_prefix(end + 1);
    end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += '\n';
    if (line.find_first_not_of(' ') != std::string_view::npos) out.append("    ").append(line);
  }
  return out;
}

// The class of a graph, with those of its subgraphs. Subgraphs at a deeper path than in the module itself are left out.
std::string class_of(std::string_view name, const Graph& graph, const Subgraphs& subgraphs, const CodeStyle& style) {
  std::string code = graph_code(graph, style);
  code.erase(0, code.find_first_not_of('\n'));
  std::unordered_map<std::string_view, const Subgraph*> children;
  for (const auto& [child, subgraph] : subgraphs) children.emplace(child, &subgraph);
  CodeStyle inner = style;
  inner.as_traced = false;
  std::string within;
  for (const Node& node : graph.nodes) {
    auto child = node.opcode == Opcode::GetAttr ? children.find(node.target) : children.end();
    if (child == children.end() || node.target.find('.') != std::string::npos) continue;
    within += "\n" + class_of(child->first, child->second->graph, child->second->subgraphs, inner);
    children.erase(child);
  }
  return indented_but_first(fmt::format("class {}(torch.nn.Module):\n{}", name, code)) + indented_but_first(within);
}

}  // namespace

std::string readable_code(const JointGraph& joint, const Document& document, const CodeStyle& style) {
  const NodeNotes notes{annotate, [&](const Node& node) { return comment_on(node, document); }};
  CodeStyle annotated = style;
  annotated.notes = &notes;
  return class_of("GraphModule", joint.graph, joint.subgraphs, annotated);
}

}  // namespace fxcut
