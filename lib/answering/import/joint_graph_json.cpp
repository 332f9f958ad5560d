#include "import/joint_graph_json.h"

#include <fmt/format.h>

#include "import/argument_json.h"
#include "import/assumptions.h"
#include "json/document.h"
#include "json/value_json.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// The text as a JSON string.
std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

// The members of a small JSON object, as text.
class JsonMembers {
 public:
  void add(std::string_view key, const std::string& json) {
    if (!text_.empty()) text_ += ',';
    append_json_string(key, text_);
    (text_ += ':') += json;
  }
  void add_text(std::string_view key, std::string_view text) {
    if (!text.empty()) add(key, json_string(text));
  }
  bool empty() const { return text_.empty(); }
  std::string object() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

// The name of an assumed tag.
std::string_view tag_name(PartitionerTag tag) {
  if (tag == PartitionerTag::MustBeInForward) return "must_be_in_forward";
  return tag == PartitionerTag::IsForward ? "is_forward" : "is_backward";
}

// Annotations as plain JSON; other values and truncated strings are left out.
std::string plain_json(const PythonExpression& value) {
  switch (value.kind) {
    case Kind::String: return value.text.ends_with("...") ? "" : json_string(value.text);
    case Kind::Integer:
    case Kind::Real: return json_number(value.text);
    case Kind::Unary: {
      const bool is_number = value.items[0].is(Kind::Integer) || value.items[0].is(Kind::Real);
      return value.text == "-" && is_number ? "-" + json_number(value.items[0].text) : "";
    }
    case Kind::Name:
      return value.text == "None" ? "null" : value.text == "True" ? "true" : value.text == "False" ? "false" : "";
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict: break;
    default: return "";
  }
  const bool is_dict = value.is(Kind::Dict);
  std::string out(1, is_dict ? '{' : '[');
  for (std::size_t i = 0; i < value.items.size(); i += is_dict ? 2 : 1) {
    const std::string item = plain_json(value.items[i + (is_dict ? 1 : 0)]);
    if (item.empty()) continue;
    if (out.size() > 1) out += ',';
    if (is_dict) out += json_string(value.items[i].text) + ":";
    out += item;
  }
  return out + (is_dict ? '}' : ']');
}

// node.meta: the content of the comment above the node, and the assumed tag; empty if there is neither.
std::string node_meta_json(const TextNode& node, PartitionerTag tag) {
  JsonMembers meta;
  if (tag != PartitionerTag::None) meta.add_text("partitioner_tag", tag_name(tag));
  const bool has_comment = node.comment && (node.opcode == Opcode::CallFunction || node.opcode == Opcode::GetAttr);
  if (has_comment) {
    const NodeComment& comment = *node.comment;
    meta.add_text("module", comment.module);
    meta.add_text("recompute", comment.recompute);
    if (!comment.ac_graph_id.empty()) meta.add("ac_graph_id", comment.ac_graph_id);
    if (comment.annotations && comment.annotations->is(Kind::Dict)) meta.add("custom", plain_json(*comment.annotations));
    if (!comment.source_file.empty()) {
      JsonMembers source;
      source.add_text("file", comment.source_file);
      source.add("line", comment.source_line);
      source.add_text("function", comment.source_function);
      meta.add("source", source.object());
    }
  }
  return meta.empty() ? "" : meta.object();
}

class JointGraphWriter {
 public:
  JointGraphWriter(std::string_view file, AnnotationReader& annotations)
      : arguments_(file, annotations) {}

  // The graph's nodes, subgraphs and attributes as members of an object. `tags` are empty for a subgraph.
  std::string write(const TextGraph& graph, const std::vector<PartitionerTag>& tags) {
    std::string before = std::move(out_);
    out_.clear();
    const AssumedValues assumed = assume_values(graph, next_storage_);
    results_without_type_ += assumed.results_without_type;
    out_ += "\"nodes\":[";
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      out_ += i == 0 ? "\n" : ",\n";
      write_node(graph, i, assumed.values[i], tags.empty() ? PartitionerTag::None : tags[i]);
    }
    out_ += "\n]";
    write_attributes(graph, assumed);
    for (std::size_t s = 0; s < graph.subgraphs.size(); ++s) {
      out_ += s == 0 ? ",\n\"subgraphs\":{\n" : ",\n";
      out_ += json_string(graph.subgraphs[s].name) + ":{" + write(graph.subgraphs[s].graph, {}) + "}";
    }
    if (!graph.subgraphs.empty()) out_ += "\n}";
    return std::exchange(out_, std::move(before));
  }

  std::size_t results_without_type() const { return results_without_type_; }
  std::size_t opaque_arguments() const { return arguments_.opaque_arguments(); }

 private:
  void write_node(const TextGraph& graph, std::size_t i, const std::optional<Value>& value, PartitionerTag tag) {
    const TextNode& node = graph.nodes[i];
    out_ += fmt::format("{{\"name\":{},\"op\":\"{}\",\"target\":{}", json_string(node.name), opcode_name(node.opcode),
                        json_string(node.target));
    if (node.opcode == Opcode::CallFunction || node.opcode == Opcode::Output) {
      out_ += ",\"args\":[";
      for (std::size_t a = 0; a < node.arguments.size(); ++a) {
        if (a > 0) out_ += ',';
        arguments_.append(graph, i, node.arguments[a], out_);
      }
      out_ += ']';
    }
    if (!node.keywords.empty()) {
      out_ += ",\"kwargs\":{";
      for (std::size_t k = 0; k < node.keywords.size(); ++k) {
        if (k > 0) out_ += ',';
        append_json_string(node.keywords[k].name, out_);
        out_ += ':';
        arguments_.append(graph, i, node.keywords[k].value, out_);
      }
      out_ += '}';
    }
    if (value) {
      out_ += ",\"val\":";
      append_value(*value, out_);
    }
    if (const std::string meta = node_meta_json(node, tag); !meta.empty()) out_ += ",\"meta\":" + meta;
    out_ += '}';
  }

  // A get_attr that has a type is a tensor constant.
  void write_attributes(const TextGraph& graph, const AssumedValues& assumed) {
    std::map<std::string_view, std::size_t> constants;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].opcode == Opcode::GetAttr && assumed.values[i]) constants.emplace(graph.nodes[i].target, i);
    }
    if (constants.empty()) return;
    out_ += ",\n\"attributes\":{";
    bool first = true;
    for (const auto& [target, i] : constants) {
      if (!std::exchange(first, false)) out_ += ',';
      out_ += json_string(target) + ":";
      append_value(*assumed.values[i], out_);
    }
    out_ += '}';
  }

  ArgumentWriter arguments_;
  std::string out_;
  std::int64_t next_storage_ = 0;
  std::size_t results_without_type_ = 0;
};

std::string symbols_json(const std::map<std::string, Symbol>& symbols) {
  JsonMembers members;
  for (const auto& [name, symbol] : symbols) {
    members.add(name, fmt::format("{{\"hint\":{},\"backed\":{}}}", symbol.hint ? std::to_string(*symbol.hint) : "null",
                                  symbol.backed));
  }
  return members.object();
}

std::string list_json(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out += (out.size() > 1 ? "," : "") + json_string(text);
  return out + "]";
}

std::string import_json(const JointGraphHead& head) {
  JsonMembers assumed, import;
  for (const auto& [about, what] : head.assumed) assumed.add_text(about, what);
  import.add_text("source", head.source);
  import.add("assumed", assumed.object());
  import.add("missing", list_json(head.missing));
  return import.object();
}

}  // namespace

std::string joint_graph_json(const TextGraph& graph, JointGraphHead& head, std::string_view file,
                             AnnotationReader& annotations) {
  JointGraphWriter writer(file, annotations);
  const std::string body = writer.write(graph, assume_phases(graph, head.num_forward_outputs));
  if (writer.results_without_type() > 0) {
    head.assumed.emplace_back("results", fmt::format("no bytes for unused results of a call with several results, "
                                                     "as the text has no types of them: {}",
                                                     writer.results_without_type()));
  }
  if (writer.opaque_arguments() > 0) {
    head.assumed.emplace_back("arguments",
                              fmt::format("objects that the text does not describe: {}", writer.opaque_arguments()));
  }
  JsonMembers members;
  members.add("format", "\"fx-joint-graph\"");
  members.add("version", "1");
  members.add_text("name", head.name);
  members.add_text("producer", head.producer);
  if (!head.compiler.empty()) members.add_text("compiler", head.compiler);
  members.add("num_fwd_outputs", std::to_string(head.num_forward_outputs));
  members.add("static_lifetime_inputs", list_json(head.static_inputs));
  members.add("symbols", symbols_json(annotations.symbols()));
  members.add("import", import_json(head));
  std::string json = members.object();
  json.back() = ',';
  return json + "\n" + body + "}\n";
}

}  // namespace fxcut
