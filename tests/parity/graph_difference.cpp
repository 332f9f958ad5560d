#include "graph_difference.h"

#include <algorithm>
#include <unordered_map>

namespace fxcut {
namespace {

using Names = std::unordered_map<std::string, std::string>;

Json with_names(const Json& argument, const Names& names) {
  if (!argument.is_structured()) return argument;
  Json copy = argument;
  if (argument.is_object() && argument.size() == 1 && argument.contains("node")) {
    const auto other = names.find(argument["node"].get<std::string>());
    if (other != names.end()) copy["node"] = other->second;
    return copy;
  }
  for (Json& item : copy) item = with_names(item, names);
  return copy;
}

// The call of a node, as text: JSON texts keep 1, 1.0 and true apart, which JSON values do not.
std::string call_text(const Json& node, const Names& names) {
  Json call = {{"op", node.at("op")}};
  if (!is_op(node, "placeholder")) call["target"] = node.at("target");
  const Json args = with_names(node.value("args", Json::array()), names);
  call["args"] = is_op(node, "output") ? without_tuples(args) : args;
  call["kwargs"] = with_names(node.value("kwargs", Json::object()), names);
  return call.dump();
}

}  // namespace

std::string first_difference(const Json& pytorch, const Json& ours,
                             const std::unordered_set<std::string>& joint_names) {
  Names pytorch_name;  // by our name, of nodes that the joint graph does not have
  for (std::size_t i = 0; i < std::min(pytorch.size(), ours.size()); ++i) {
    const auto tagged = pytorch[i].at("name").get<std::string>(), found = ours[i].at("name").get<std::string>();
    const std::string place = "node " + std::to_string(i) + ": ";
    if (is_op(pytorch[i], "output") || !joint_names.contains(tagged)) {
      pytorch_name[found] = tagged;
    } else if (found != tagged) {
      return place + found + ", PyTorch has " + tagged;
    }
    const std::string call = call_text(ours[i], pytorch_name), wanted_call = call_text(pytorch[i], {});
    if (call != wanted_call) return place + tagged + " is " + call + ", PyTorch has " + wanted_call;
  }
  if (ours.size() == pytorch.size()) return "";
  return std::to_string(ours.size()) + " nodes, PyTorch has " + std::to_string(pytorch.size());
}

}  // namespace fxcut
