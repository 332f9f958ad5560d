#include "graph/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

class Invariants {
 public:
  Invariants(std::string_view pass, const Graph& graph) : pass_(pass), graph_(graph) {}

  void check() {
    require(graph_.size() > 0 && graph_.output().is_output(), "the graph", "does not end in an output");
    for (std::size_t i = 0; i < graph_.size(); ++i) check_node(i);
    check_users();
  }

 private:
  void require(bool holds, std::string_view who, std::string_view wrong) const {
    if (!holds) throw InternalError(fmt::format("after the pass '{}': {} {}", pass_, who, wrong));
  }

  void check_node(std::size_t i) {
    const Node& node = graph_.nodes[i];
    require(!node.name.empty(), "a node", "has no name");
    require(names_.insert(node.name).second, node.name, "is the name of two nodes");
    require(!node.is_output() || i + 1 == graph_.size(), node.name, "is an output that is not the last node");
    require(!node.is_call() || node.callee != nullptr, node.name, "is a call of nothing");
    for (const NodeId input : node.inputs) {
      require(index_of(input) < graph_.size(), node.name, "takes a node that does not exist");
      require(index_of(input) < i, node.name, "uses a node that is not before it");
    }
    check_references(node);
  }

  void check_references(const Node& node) const {
    std::vector<bool> is_referred_to(node.inputs.size(), false);
    const auto check = [&](const Argument& argument, const auto& self) -> void {
      if (argument.kind == Argument::Kind::Node) {
        require(argument.index < node.inputs.size(), node.name, "has an argument that refers to no input");
        require(!is_referred_to[argument.index], node.name, "has two arguments that refer to one input");
        is_referred_to[argument.index] = true;
      }
      for (const Argument& item : argument.items) self(item, self);
    };
    if (node.arguments) {
      for (const Argument& argument : node.arguments->positional) check(argument, check);
      for (const auto& [name, argument] : node.arguments->keyword) check(argument, check);
    }
    require(std::find(is_referred_to.begin(), is_referred_to.end(), false) == is_referred_to.end(), node.name,
            "has an input that no argument refers to");
  }

  void check_users() const {
    std::vector<std::vector<NodeId>> users_of_input(graph_.size());
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      for (const NodeId input : graph_.nodes[i].inputs) {
        std::vector<NodeId>& of = users_of_input[index_of(input)];
        if (of.empty() || of.back() != node_id(i)) of.push_back(node_id(i));
      }
    }
    const Users users(graph_);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const auto found = users.of(i);
      require(std::equal(found.begin(), found.end(), users_of_input[i].begin(), users_of_input[i].end()), graph_.nodes[i].name,
              "has users that are not those which take it");
    }
  }

  std::string_view pass_;
  const Graph& graph_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace

void check_invariants(std::string_view pass, const Graph& graph) { Invariants(pass, graph).check(); }

}  // namespace fxcut
