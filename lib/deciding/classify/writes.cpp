#include "classify/writes.h"

#include <algorithm>
#include <optional>
#include <string>

namespace fxcut {
namespace {

// The call's argument of that name; null if its position is unknown or it is not given.
const Argument* find_argument(const Node& call, const std::string& name, std::optional<std::size_t> position) {
  if (const Argument* keyword = call.arguments->find(name)) return keyword;
  const auto& positional = call.arguments->positional;
  return position && *position < positional.size() ? &positional[*position] : nullptr;
}

std::vector<NodeId> each_once(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

bool writes(const Node& node) { return node.is_call() && node.callee->mutates; }

std::vector<NodeId> written_inputs(const Node& call) {
  const Operator& op = *call.callee;
  std::vector<NodeId> written;
  for (std::size_t i = 0; i < op.mutable_arguments.size(); ++i) {
    const std::optional<std::size_t> position = op.mutable_positions[i];
    const Argument* given = find_argument(call, op.mutable_arguments[i], position);
    if (!given && !position) return each_once(call.inputs);
    if (!given) continue;  // its default, which is not a tensor
    for_each_leaf(*given, [&](const Argument& leaf) {
      if (leaf.kind == Argument::Kind::Node) written.push_back(call.inputs[leaf.index]);
    });
  }
  return each_once(op.mutable_arguments.empty() ? call.inputs : std::move(written));
}

}  // namespace fxcut
