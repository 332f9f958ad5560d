#include "import/node_meta_json.h"

#include "import/argument_json.h"
#include "import/json_members.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// Of the tags that are assumed.
std::string_view tag_name(PartitionerTag tag) {
  if (tag == PartitionerTag::MustBeInForward) return "must_be_in_forward";
  return tag == PartitionerTag::IsForward ? "is_forward" : "is_backward";
}

// Annotations as plain JSON; what is no JSON, and texts that were cut off, as nothing.
std::string plain_json(const PythonExpression& value) {
  switch (value.kind) {
    case Kind::String:
      return value.text.ends_with("...") ? "" : json_string(value.text);
    case Kind::Integer:
    case Kind::Real:
      return json_number(value.text);
    case Kind::Unary: {
      const bool is_number = value.items[0].is(Kind::Integer) || value.items[0].is(Kind::Real);
      return value.text == "-" && is_number ? "-" + json_number(value.items[0].text) : "";
    }
    case Kind::Name:
      return value.text == "None" ? "null" : value.text == "True" ? "true" : value.text == "False" ? "false" : "";
    case Kind::List:
    case Kind::Tuple:
    case Kind::Dict:
      break;
    default:
      return "";
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

}  // namespace

std::string node_meta_json(const TextNode& node, PartitionerTag tag) {
  JsonMembers meta;
  if (tag != PartitionerTag::None) {
    meta.add_text("partitioner_tag", tag_name(tag));
  }
  const bool has_comment = node.comment && (node.opcode == Opcode::CallFunction || node.opcode == Opcode::GetAttr);
  if (has_comment) {
    const NodeComment& comment = *node.comment;
    meta.add_text("recompute", comment.recompute);
    if (!comment.ac_graph_id.empty()) meta.add("ac_graph_id", comment.ac_graph_id);
    if (comment.annotations && comment.annotations->is(Kind::Dict))
      meta.add("custom", plain_json(*comment.annotations));
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

}  // namespace fxcut
