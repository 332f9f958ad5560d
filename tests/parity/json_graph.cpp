#include "json_graph.h"

namespace fxcut {
namespace {

bool is_tagged(const Json& argument, const char* tag) {
  return argument.is_object() && argument.size() == 1 && argument.contains(tag);
}

}  // namespace

Json without_tuples(const Json& argument) {
  if (is_tagged(argument, "tuple")) return without_tuples(argument["tuple"]);
  if (!argument.is_array()) return argument;
  Json list = Json::array();
  for (const Json& item : argument) list.push_back(without_tuples(item));
  return list;
}

std::unordered_set<std::string> names_of(const Json& nodes) {
  std::unordered_set<std::string> names;
  for (const Json& node : nodes) names.insert(node.at("name").get<std::string>());
  return names;
}

std::unordered_set<std::string> node_names(const Json& graph) { return names_of(graph.at("nodes")); }

bool is_op(const Json& node, std::string_view op) { return node.at("op").get_ref<const std::string&>() == op; }

}  // namespace fxcut
