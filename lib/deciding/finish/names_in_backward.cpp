#include "finish/names_in_backward.h"

#include <algorithm>

#include "graph/rebuild.h"
#include "policy/names.h"

namespace fxcut {

Graph drop_names(Graph backward, const std::vector<std::string>& naming_operators) {
  const auto names = [&](const Node& node) {
    return node_argument(node, 0) && is_naming(node, naming_operators);
  };
  if (std::none_of(backward.nodes.begin(), backward.nodes.end(), names)) return backward;
  Rebuild rebuild(backward);
  for (std::size_t i = 0; i < backward.size(); ++i) {
    const Node& node = backward.nodes[i];
    if (names(node)) {
      rebuild.substitute(node_id(i), rebuild(*node_argument(node, 0)));
    } else {
      rebuild.copy(node_id(i));
    }
  }
  return rebuild.take();
}

}  // namespace fxcut
