#include "extract/extract_graph.h"

#include <memory>
#include <utility>

#include "graph/naming.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

Node as_placeholder(const Node& carried) {
  static const auto kNoArguments = std::make_shared<const Arguments>();
  Node node = carried;
  node.opcode = Opcode::Placeholder;
  node.callee = nullptr;
  node.target = node.name;
  node.arguments = kNoArguments;
  node.inputs.clear();
  return node;
}

// The rebuilt call, after the get_attr of its subgraph.
void copy_rebuilt(Rebuild& rebuild, const Graph& joint, NodeId id, const RebuiltControlDeps& rebuilt,
                  const std::string& subgraph, Namespace& names) {
  Node attribute;
  attribute.opcode = Opcode::GetAttr;
  attribute.target = subgraph;
  attribute.name = names.create(subgraph);
  attribute.arguments = std::make_shared<const Arguments>();
  Node call = joint[id];
  call.inputs.clear();
  auto arguments = std::make_shared<Arguments>();
  arguments->positional.resize(1);
  arguments->positional.front().kind = Argument::Kind::Tuple;
  const auto refer = [&](NodeId input) {
    call.inputs.push_back(input);
    return reference_to_input(call.inputs.size() - 1);
  };
  for (std::size_t i = 0; i < rebuilt.num_additional; ++i) {
    arguments->positional.front().items.push_back(refer(rebuild(rebuilt.inputs[i])));
  }
  arguments->positional.push_back(refer(rebuild.append(std::move(attribute))));
  for (std::size_t i = rebuilt.num_additional; i < rebuilt.inputs.size(); ++i) {
    arguments->positional.push_back(refer(rebuild(rebuilt.inputs[i])));
  }
  call.arguments = std::move(arguments);
  call.value = rebuilt_value(joint[id], rebuilt);
  call.has_new_value = true;
  rebuild.substitute(id, rebuild.append(std::move(call)));
}

// An item of a rebuilt call at its new position.
void copy_moved_item(Rebuild& rebuild, NodeId id, std::int64_t position) {
  Node item = rebuild.translated(id);
  Arguments arguments = *item.arguments;
  arguments.positional[1].integer = position;
  item.arguments = std::make_shared<const Arguments>(std::move(arguments));
  rebuild.substitute(id, rebuild.append(std::move(item)));
}

// The output with a list in the place of its tuple.
Node returning_list(Node output) {
  Arguments arguments = *output.arguments;
  arguments.positional.front().kind = Argument::Kind::List;
  output.arguments = std::make_shared<const Arguments>(std::move(arguments));
  return output;
}

}  // namespace

Graph extract_graph(const JointGraph& whole, const ExtractionPlan& plan, std::size_t rebuilt_before) {
  const Graph& joint = whole.graph;
  const std::vector<std::string> names_of_rebuilt = rebuilt_subgraph_names(whole, rebuilt_before, plan.rebuilt.size());
  Namespace names = plan.rebuilt.empty() ? Namespace() : Namespace(joint);
  Rebuild rebuild(joint);
  rebuild.result().nodes.reserve(plan.inputs.size() + plan.computed.size() + 1);
  for (const NodeId input : plan.inputs) rebuild.substitute(input, rebuild.append(as_placeholder(joint[input])));
  auto subgraph_name = names_of_rebuilt.begin();
  auto replaced_items = plan.replaced_items.begin();
  for (const NodeId id : plan.computed) {
    if (!plan.stays[index_of(id)]) continue;
    const auto rebuilt = plan.rebuilt.find(id);
    const auto tuple = plan.rebuilt.empty() ? std::nullopt : node_argument(joint[id], 0);
    const auto parent = tuple ? plan.rebuilt.find(*tuple) : plan.rebuilt.end();
    for (; replaced_items != plan.replaced_items.end() && replaced_items->first < id; ++replaced_items) {
      rebuild.substitute(replaced_items->first, rebuild(replaced_items->second));
    }
    if (rebuilt != plan.rebuilt.end()) {
      copy_rebuilt(rebuild, joint, id, rebuilt->second, *subgraph_name, names);
      ++subgraph_name;
    } else if (parent != plan.rebuilt.end() && joint[id].calls("operator.getitem")) {
      copy_moved_item(rebuild, id, *parent->second.new_position(*item_position(joint[id])));
    } else {
      rebuild.copy(id);
    }
  }
  Node output = returning(joint.output(), rebuild.translated(plan.outputs));
  if (!whole.torch.release.has(Change::OutputsAreATuple)) output = returning_list(std::move(output));
  rebuild.append(std::move(output));
  return rebuild.take();
}

Subgraphs rebuilt_subgraphs(const JointGraph& joint, const ExtractionPlan& plan, std::size_t rebuilt_before) {
  const std::vector<std::string> names = rebuilt_subgraph_names(joint, rebuilt_before, plan.rebuilt.size());
  Subgraphs subgraphs;
  for (const auto& [id, rebuilt] : plan.rebuilt) {
    subgraphs.push_back({names[subgraphs.size()], rebuilt_subgraph(joint, id, rebuilt)});
  }
  return subgraphs;
}

std::vector<NodeId> copied_nodes(const Graph& joint, const ExtractionPlan& plan) {
  std::vector<NodeId> copied = plan.inputs;
  copied.insert(copied.end(), plan.computed.begin(), plan.computed.end());
  copied.push_back(node_id(joint.size() - 1));
  return copied;
}

}  // namespace fxcut
