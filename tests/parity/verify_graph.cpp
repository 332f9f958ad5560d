#include "verify_graph.h"

#include <algorithm>
#include <map>
#include <set>

namespace fxcut {
namespace {

constexpr std::size_t kFirstDep = 2;  // of a control_deps: what has to come first, the subgraph, then the deps

class GraphVerification {
 public:
  GraphVerification(const std::string& side, const Json& graph)
      : side_(side), nodes_(graph.at("nodes")), graph_(graph) {
    for (const Json& node : nodes_) by_name_.emplace(text_of(node, "name"), &node);
  }

  std::vector<std::string> run() && {
    check_order();
    check_attributes();
    for (const Json& node : nodes_) {
      if (node.at("target") == "higher_order.control_deps") check_control_deps(node);
    }
    return std::move(problems_);
  }

 private:
  void check_order();
  void check_attributes();
  void check_control_deps(const Json& call);
  void check_items(const std::string& call, const Json& subgraph);

  // The nested graph that an argument names through its get_attr; null where there is none.
  const Json* subgraph_of(const Json& argument) const {
    const auto node = by_name_.find(text_of(argument, "node"));
    if (node == by_name_.end() || !graph_.contains("subgraphs")) return nullptr;
    const auto nested = graph_["subgraphs"].find(text_of(*node->second, "target"));
    return nested == graph_["subgraphs"].end() ? nullptr : &*nested;
  }
  void complain(const std::string& problem) { problems_.push_back(side_ + ": " + problem); }

  const std::string& side_;
  const Json& nodes_;
  const Json& graph_;
  std::map<std::string, const Json*> by_name_;
  std::vector<std::string> problems_;
};

void GraphVerification::check_order() {
  std::set<std::string> earlier;
  bool ended = false;
  for (const Json& node : nodes_) {
    const std::string name = text_of(node, "name");
    const auto expect_earlier = [&](const std::string& input) {
      if (!earlier.contains(input)) complain(name + " takes " + input + ", which is no earlier node");
    };
    if (ended) complain(name + " stands behind the output");
    if (node.contains("args")) for_each_reference(node["args"], expect_earlier);
    if (node.contains("kwargs")) for_each_reference(node["kwargs"], expect_earlier);
    if (!earlier.insert(name).second) complain("the name " + name + " stands twice");
    ended = is_op(node, "output");
  }
  if (!ended) complain("the last node is no output");
}

void GraphVerification::check_attributes() {
  const Json nested = graph_.value("subgraphs", Json::object()), constants = graph_.value("attributes", Json::object());
  std::set<std::string> referred;
  for (const Json& node : nodes_) {
    if (!is_op(node, "get_attr")) continue;
    const std::string target = text_of(node, "target");
    referred.insert(target);
    if (!nested.contains(target) && !constants.contains(target)) complain("there is no attribute " + target);
  }
  for (const auto& [name, subgraph] : nested.items()) {
    if (!referred.contains(name)) complain("nothing refers to the subgraph " + name);
    for (std::string& problem : verify_graph(side_ + ": " + name, subgraph)) problems_.push_back(std::move(problem));
  }
}

void GraphVerification::check_control_deps(const Json& call) {
  const std::string name = text_of(call, "name");
  const Json& args = call.at("args");
  const Json* subgraph = subgraph_of(args.at(1));
  if (!subgraph) return complain(name + " has no subgraph");
  const Json& inner = subgraph->at("nodes");
  const auto inputs = std::count_if(inner.begin(), inner.end(), [](const Json& n) { return is_op(n, "placeholder"); });
  const std::size_t deps = args.size() - kFirstDep;
  if (deps != static_cast<std::size_t>(inputs)) {
    complain(name + " hands over " + std::to_string(deps) + " values, its subgraph takes " + std::to_string(inputs));
  }
  check_items(name, *subgraph);
}

void GraphVerification::check_items(const std::string& call, const Json& subgraph) {
  if (!without_tuples(subgraph.at("nodes").back().at("args").at(0)).is_array()) return;  // no tuple is returned
  const auto results = static_cast<std::int64_t>(leaves_of_output(subgraph).size());
  for (const Json& node : nodes_) {
    if (node.at("target") != "operator.getitem" || node.at("args").at(0) != Json{{"node", call}}) continue;
    const Json& item = node.at("args").at(1);
    if (item.is_number_integer() && item.get<std::int64_t>() < results) continue;
    complain(text_of(node, "name") + " takes item " + item.dump() + " of " + call + ", which has " +
             std::to_string(results));
  }
}

}  // namespace

std::vector<std::string> verify_graph(const std::string& side, const Json& graph) {
  return GraphVerification(side, graph).run();
}

}  // namespace fxcut
