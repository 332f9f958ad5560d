#include "json_graph.h"

namespace fxcut {
namespace {

bool is_tagged(const Json& argument, const char* tag) {
  return argument.is_object() && argument.size() == 1 && argument.contains(tag);
}

void append_leaves(const Json& argument, std::vector<Json>& leaves) {
  if (argument.is_array()) {
    for (const Json& item : argument) append_leaves(item, leaves);
  } else if (is_tagged(argument, "tuple")) {
    append_leaves(argument["tuple"], leaves);
  } else if (is_tagged(argument, "dict")) {
    for (const Json& item : argument["dict"]) append_leaves(item, leaves);
  } else {
    leaves.push_back(argument);
  }
}

}  // namespace

void for_each_reference(const Json& argument, const std::function<void(const std::string&)>& visit) {
  if (is_tagged(argument, "node")) return visit(argument["node"].get<std::string>());
  if (!argument.is_structured()) return;
  for (const Json& item : argument) for_each_reference(item, visit);
}

Json without_tuples(const Json& argument) {
  if (is_tagged(argument, "tuple")) return without_tuples(argument["tuple"]);
  if (!argument.is_array()) return argument;
  Json list = Json::array();
  for (const Json& item : argument) list.push_back(without_tuples(item));
  return list;
}

std::vector<Json> leaves_of_output(const Json& graph) {
  std::vector<Json> leaves;
  append_leaves(graph.at("nodes").back().at("args"), leaves);
  return leaves;
}

std::unordered_set<std::string> names_of(const Json& nodes) {
  std::unordered_set<std::string> names;
  for (const Json& node : nodes) names.insert(node.at("name").get<std::string>());
  return names;
}

std::unordered_set<std::string> node_names(const Json& graph) { return names_of(graph.at("nodes")); }

bool is_op(const Json& node, std::string_view op) { return node.at("op").get_ref<const std::string&>() == op; }

std::string text_of(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

}  // namespace fxcut
