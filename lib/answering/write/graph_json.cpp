#include "write/graph_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "json/fields.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

constexpr std::string_view kStepSide = "step";    // instead of a side: a whole step
constexpr std::string_view kJointSide = "joint";  // or a joint graph

class GraphWriter {
 public:
  GraphWriter(const Document& source, const TextSink& sink) : source_(source), sink_(sink) {}

  void begin(std::string_view side, const Graph& graph, std::optional<std::size_t> num_forward_outputs) {
    is_step_ = side == kStepSide;
    is_joint_ = side == kJointSide;
    const std::string_view form = is_step_ ? "fx-step-graph" : is_joint_ ? "fx-joint-graph" : "fx-graph";
    out_ += fmt::format("{{\"format\":\"{}\",\"version\":1", form);
    if (!is_step_ && !is_joint_) {
      out_ += ",\"side\":";
      string(side);
    }
    const bool lists_others = !is_step_ && !is_joint_ && !lists_static_inputs_of(graph);
    write_other_members(source_.root(), {"format", "version", "side", "nodes", "subgraphs", "attributes",
                                         side == "forward" ? "side" : "num_fwd_outputs", is_joint_ ? "name" : "side",
                                         is_joint_ || lists_others ? "static_lifetime_inputs" : "side"});
    if (lists_others) {
      out_ += ",\n";
      write_static_inputs(graph);
    }
    if (num_forward_outputs) fmt::format_to(std::back_inserter(out_), ",\"num_fwd_outputs\":{}", *num_forward_outputs);
    out_ += ",\n";
  }

  // The members of a joint graph that are not those of its source.
  void write_joint_members(const JointGraph& joint) {
    key("name");
    string(joint.name);
    out_ += ",\n";
    write_static_inputs(joint.graph);
    out_ += ",\n";
  }

  void write_nodes(const Graph& graph) {
    out_ += "\"nodes\":[";
    bool first = true;
    for (const Node& node : graph.nodes) {
      out_ += std::exchange(first, false) ? "\n" : ",\n";
      write_node(graph, node);
      if (out_.size() >= kPieceBytes) pass_on();
    }
    out_ += "\n]";
  }

  void write_attributes(const Graph& graph, const JsonValue& owner) {
    const auto attributes = member(owner, "attributes");
    if (!attributes || !attributes->is(JsonValue::Type::Object)) return;
    const std::set<std::string_view> referred = attribute_names(graph);
    bool first = true;
    for (const JsonValue attribute : *attributes) {
      if (!referred.contains(attribute.key())) continue;
      out_ += std::exchange(first, false) ? ",\n\"attributes\":{" : ",";
      key(attribute.key());
      source_.append(attribute.ticket(), out_);
    }
    if (!first) out_ += '}';
  }

  void write_subgraphs(const Graph& graph, const Subgraphs& subgraphs) {
    const std::set<std::string_view> referred = attribute_names(graph);
    bool first = true;
    for (const auto& [name, subgraph] : subgraphs) {
      if (!referred.contains(name)) continue;
      out_ += std::exchange(first, false) ? ",\n\"subgraphs\":{\n" : ",\n";
      key(name);
      out_ += '{';
      write_nodes(subgraph.graph);
      if (subgraph.origin != kNoOrigin) write_attributes(subgraph.graph, source_.at(subgraph.origin));
      write_subgraphs(subgraph.graph, subgraph.subgraphs);
      if (subgraph.origin != kNoOrigin) {
        write_other_members(source_.at(subgraph.origin), {"nodes", "subgraphs", "attributes"});
      }
      out_ += '}';
    }
    if (!first) out_ += "\n}";
  }

  void end() {
    out_ += "}\n";
    pass_on();
  }

 private:
  void write_static_inputs(const Graph& graph) {
    key("static_lifetime_inputs");
    out_ += '[';
    bool first = true;
    for (const Node& node : graph.nodes) {
      if (!node.is_placeholder() || !node.meta.static_lifetime) continue;
      if (!std::exchange(first, false)) out_ += ',';
      string(node.name);
    }
    out_ += ']';
  }

  // Whether the source's list is right for the graph's primals: not if it was put right (read/read_static_inputs.h). That of a
  // whole step always is.
  bool lists_static_inputs_of(const Graph& graph) const {
    const auto list = member(source_.root(), "static_lifetime_inputs");
    if (!list || !is_of_joint_graph()) return true;
    std::set<std::string_view> listed;
    for (const JsonValue name : *list) listed.insert(name.text());
    return std::ranges::all_of(graph.nodes, [&](const Node& node) {
      return !node.is_placeholder() || !is_primal(node) || listed.contains(node.name) == node.meta.static_lifetime;
    });
  }

  bool is_of_joint_graph() const {
    const auto format = member(source_.root(), "format");
    return format && format->is(JsonValue::Type::String) && format->text() == "fx-joint-graph";
  }

  // The members that are not in `written`, each after a comma.
  void write_other_members(const JsonValue& owner, std::initializer_list<std::string_view> written) {
    for (const JsonValue field : owner) {
      if (std::find(written.begin(), written.end(), field.key()) != written.end()) continue;
      out_ += ',';
      key(field.key());
      source_.append(field.ticket(), out_);
    }
  }

  void pass_on() {
    sink_(out_);
    out_.clear();
  }
  void string(std::string_view text) { append_json_string(text, out_); }
  void key(std::string_view name) {
    string(name);
    out_ += ':';
  }

  void write_node(const Graph& graph, const Node& node) {
    out_ += '{';
    key("name");
    string(node.name);
    out_ += ",\"op\":";
    string(opcode_name(node.opcode));
    out_ += ",\"target\":";
    string(node.is_call() ? node.callee->target : node.target);
    if (node.is_call() || node.is_output()) {
      out_ += ",\"args\":[";
      bool first = true;
      for (const Argument& argument : node.arguments->positional) {
        if (!std::exchange(first, false)) out_ += ',';
        write_argument(graph, node, argument);
      }
      out_ += ']';
    }
    if (!node.arguments->keyword.empty()) {
      out_ += ",\"kwargs\":{";
      bool first = true;
      for (const auto& [name, argument] : node.arguments->keyword) {
        if (!std::exchange(first, false)) out_ += ',';
        key(name);
        write_argument(graph, node, argument);
      }
      out_ += '}';
    }
    if (node.value && (node.has_new_value || node.origin == kNoOrigin)) {
      out_ += ",\"val\":";
      append_value(*node.value, out_);
    }
    const bool has_new_meta = is_step_ && node.meta.autograd_backward && !was_backward(node);
    if (has_new_meta) write_backward_meta(node);
    if (node.origin != kNoOrigin) {
      const JsonValue source = source_.at(node.origin);
      const bool drops_meta = has_new_meta || is_new_call(node) || (is_joint_ && node.is_placeholder() && !was_input(source));
      write_other_members(source, {"name", "op", "target", "args", "kwargs", node.has_new_value ? "val" : "name",
                                   drops_meta ? "meta" : "name"});
    }
    out_ += '}';
  }

  // Whether the node is an input in its file; if not, it is an input of a part of that graph, and its tags are those of a call.
  bool was_input(const JsonValue& source) const {
    const auto op = member(source, "op");
    return op && op->is(JsonValue::Type::String) && op->text() == opcode_name(Opcode::Placeholder);
  }

  // Whether a pass made the call for another one, whose text it has.
  bool is_new_call(const Node& node) const {
    return node.has_new_value && node.is_call() && member(source_.at(node.origin), "target")->text() != node.callee->target;
  }

  // Whether the node's text has its marks.
  bool was_backward(const Node& node) const {
    const auto meta = node.origin != kNoOrigin && !is_new_call(node) ? member(source_.at(node.origin), "meta") : std::nullopt;
    if (!meta || !member(*meta, "autograd_backward")) return false;
    const auto custom = member(*meta, "custom");
    const auto phase = custom ? member(*custom, "phase") : std::nullopt;
    return !node.meta.backward_phase || (phase && phase->is(JsonValue::Type::String) && phase->text() == "backward");
  }

  // The meta of a node that was added to the backward of a whole step: that of the forward's, if it was of the forward.
  void write_backward_meta(const Node& node) {
    const bool is_annotated = node.meta.backward_phase;
    const auto meta = node.origin != kNoOrigin ? member(source_.at(node.origin), "meta") : std::nullopt;
    out_ += ",\"meta\":{\"autograd_backward\":true";
    if (is_annotated) {
      out_ += ",\"custom\":{\"phase\":\"backward\"";
      if (const auto custom = meta ? member(*meta, "custom") : std::nullopt) write_other_members(*custom, {"phase"});
      out_ += '}';
    }
    if (meta) write_other_members(*meta, {"autograd_backward", is_annotated ? "custom" : "autograd_backward"});
    out_ += '}';
  }

  void write_argument(const Graph& graph, const Node& node, const Argument& argument) {
    switch (argument.kind) {
      case Kind::Node: return write_tagged("node", graph[node.inputs[argument.index]].name);
      case Kind::None: out_ += "null"; return;
      case Kind::Bool: out_ += argument.integer != 0 ? "true" : "false"; return;
      case Kind::Int: fmt::format_to(std::back_inserter(out_), "{}", argument.integer); return;
      case Kind::BigInt: out_ += argument.text; return;
      case Kind::Float: return write_real(argument.real);
      case Kind::String: return string(argument.text);
      case Kind::List: return write_items(graph, node, argument);
      case Kind::Tuple:
      case Kind::Slice:
        out_ += argument.kind == Kind::Tuple ? "{\"tuple\":" : "{\"slice\":";
        write_items(graph, node, argument);
        out_ += '}';
        return;
      case Kind::Dict:
        out_ += "{\"dict\":{";
        for (std::size_t i = 0; i < argument.items.size(); ++i) {
          if (i > 0) out_ += ',';
          key(argument.keys[i]);
          write_argument(graph, node, argument.items[i]);
        }
        out_ += "}}";
        return;
      case Kind::Complex:
        out_ += "{\"complex\":[";
        write_real(argument.real);
        out_ += ',';
        write_real(argument.imaginary);
        out_ += "]}";
        return;
      case Kind::Symbolic:
        out_ += "{\"sym\":";
        out_ += argument.text;
        out_ += '}';
        return;
      case Kind::Dtype: return write_tagged("dtype", argument.text);
      case Kind::Device: return write_tagged("device", argument.text);
      case Kind::Layout: return write_tagged("layout", argument.text);
      case Kind::MemoryFormat: return write_tagged("memory_format", argument.text);
      case Kind::Operator: return write_tagged("op", argument.text);
      case Kind::Opaque: return write_tagged("opaque", argument.text);
    }
  }

  void write_items(const Graph& graph, const Node& node, const Argument& argument) {
    out_ += '[';
    for (std::size_t i = 0; i < argument.items.size(); ++i) {
      if (i > 0) out_ += ',';
      write_argument(graph, node, argument.items[i]);
    }
    out_ += ']';
  }

  void write_real(double real) {
    if (!std::isfinite(real)) return write_tagged("float", std::isnan(real) ? "nan" : real > 0 ? "inf" : "-inf");
    const std::string text = fmt::format("{}", real);
    out_ += text;
    // 1.0 is not an integer, and must not become one.
    if (text.find_first_of(".e") == std::string::npos) out_ += ".0";
  }

  void write_tagged(std::string_view tag, std::string_view text) {
    out_ += '{';
    key(tag);
    string(text);
    out_ += '}';
  }

  const Document& source_;
  const TextSink& sink_;
  std::string out_;  // not passed on yet
  bool is_step_ = false;
  bool is_joint_ = false;
};

}  // namespace

void write_graph_json(const Graph& graph, const Subgraphs& subgraphs,
                      std::string_view side, const Document& source, const TextSink& sink,
                      std::optional<std::size_t> num_forward_outputs) {
  GraphWriter writer(source, sink);
  writer.begin(side, graph, num_forward_outputs);
  writer.write_nodes(graph);
  writer.write_attributes(graph, source.root());
  writer.write_subgraphs(graph, subgraphs);
  writer.end();
}

void write_joint_graph_json(const JointGraph& joint, const Document& source, const TextSink& sink) {
  GraphWriter writer(source, sink);
  writer.begin(kJointSide, joint.graph, joint.num_forward_outputs);
  writer.write_joint_members(joint);
  writer.write_nodes(joint.graph);
  writer.write_attributes(joint.graph, source.root());
  writer.write_subgraphs(joint.graph, joint.subgraphs);
  writer.end();
}

std::string graph_json(const Graph& graph, const Subgraphs& subgraphs, std::string_view side, const Document& source) {
  std::string text;
  write_graph_json(graph, subgraphs, side, source, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace fxcut
