// Which earlier nodes a node of a printed graph takes.
#pragma once

#include <algorithm>
#include <vector>

#include "import/text_graph.h"

namespace fxcut {

template <typename Visit>
void for_each_name(const PythonExpression& expression, const Visit& visit) {
  if (expression.is(PythonExpression::Kind::Name)) visit(expression.text);
  for (const PythonExpression& item : expression.items) for_each_name(item, visit);
  for (const auto& keyword : expression.keywords) for_each_name(keyword.value, visit);
}

// The positions of the nodes that node number `reader` takes, in order; may repeat.
inline std::vector<std::size_t> inputs_of(const TextGraph& graph, std::size_t reader) {
  std::vector<std::size_t> inputs;
  const auto take = [&](const std::string& name) {
    const auto found = graph.index.find(name);
    if (found != graph.index.end() && found->second < reader) inputs.push_back(found->second);
  };
  for (const PythonExpression& argument : graph.nodes[reader].arguments) for_each_name(argument, take);
  for (const auto& keyword : graph.nodes[reader].keywords) for_each_name(keyword.value, take);
  return inputs;
}

}  // namespace fxcut
