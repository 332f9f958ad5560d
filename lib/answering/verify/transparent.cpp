// The transparent calls of an Evaluator, except copies to the host and random states.
#include <algorithm>

#include "classify/bodies.h"
#include "verify/evaluator.h"

namespace fxcut {
namespace {

// Bodies within bodies may multiply. Above this number of nodes a region counts as a call.
constexpr std::size_t kMostInlinedNodes = 1'000'000;

}  // namespace

std::optional<Held> Evaluator::transparent(const Call& call) {
  const std::string& target = call.node.callee->target;
  if (context_.transparent.naming.contains(target)) {
    if (const Held* named = argument(call, 0)) return *named;
  }
  if (auto found = item(call)) return found;
  if (auto found = barrier(call)) return found;
  if (auto found = body(call)) return found;
  if (auto found = under_random_state(call)) return found;
  return copy(call);
}

std::optional<Held> Evaluator::item(const Call& call) {
  if (!call.node.calls("operator.getitem") || call.positional.size() != 2) return std::nullopt;
  const Held* tuple = argument(call, 0);
  if (!tuple || !tuple->items || call.positional[1].kind != Argument::Kind::Int) return std::nullopt;
  const auto size = static_cast<std::int64_t>(tuple->items->size());
  std::int64_t position = call.positional[1].integer;
  if (position < 0) position += size;
  if (position < 0 || position >= size) return std::nullopt;
  return (*tuple->items)[static_cast<std::size_t>(position)];
}

std::optional<Held> Evaluator::barrier(const Call& call) {
  if (call.node.callee->target != context_.transparent.barrier) return std::nullopt;
  if (call.positional.size() != 1 || call.positional.front().kind != Argument::Kind::List) return std::nullopt;
  return structured(call.positional.front(), call.node, call.scope);
}

const Subgraph* Evaluator::subgraph_of(const Call& call, std::size_t position) {
  if (position >= call.positional.size() || call.positional[position].kind != Argument::Kind::Node) return nullptr;
  const Node& attribute = call.scope.graph[call.node.inputs[call.positional[position].index]];
  if (attribute.opcode != Opcode::GetAttr) return nullptr;
  return context_.find(call.scope.subgraphs, attribute.target);
}

std::optional<Held> Evaluator::body(const Call& call) {
  const bool is_region = call.node.calls(kCheckpointCall);
  if (!is_region && !call.node.calls(kControlDeps)) return std::nullopt;
  const std::size_t position = is_region ? 0 : 1;  // of the body; its inputs follow
  const Subgraph* called = subgraph_of(call, position);
  if (!called || inlined_nodes_ + called->graph.size() > kMostInlinedNodes) return std::nullopt;
  inlined_nodes_ += called->graph.size();
  std::vector<Held> inputs;
  for (const Argument& given : call.positional.subspan(position + 1)) {
    inputs.push_back(structured(given, call.node, call.scope));
  }
  bodies_.push_back(call.node.meta.tag);
  const Graph& graph = called->graph;
  Scope inner{graph, called->subgraphs, run(graph, called->subgraphs, inputs)};
  bodies_.pop_back();
  const auto& returned = graph.output().arguments->positional;
  if (returned.empty()) return tuple({});
  Held result = structured(returned.front(), graph.output(), inner);
  result.is_lone_item = is_region && result.items && result.items->size() == 1;
  return result;
}

Content Evaluator::content_of(const Subgraph& subgraph) {
  const auto known = context_.contents.find(&subgraph);
  if (known != context_.contents.end()) return known->second;
  NumberedDraws draws(context_.terms);
  Evaluator inner(context_, draws, Run::Subgraph);
  std::vector<Held> inputs;
  for (const Node& node : subgraph.graph.nodes) {
    if (!node.is_placeholder()) continue;
    inputs.push_back(inner.input(context_.terms.make("parameter " + std::to_string(inputs.size())), node.value.get()));
  }
  Scope scope{subgraph.graph, subgraph.subgraphs, inner.run(subgraph.graph, subgraph.subgraphs, inputs)};
  std::vector<Term> parts;
  for (const Argument& returned : subgraph.graph.output().arguments->positional) {
    const Held whole = structured(returned, subgraph.graph.output(), scope);
    parts.push_back(whole.items ? whole.term : context_.memory.read(whole));
  }
  for (const Effect& effect : inner.effects()) parts.push_back(effect.term);
  const Content content{context_.terms.make("subgraph", std::move(parts)), !draws.all().empty()};
  context_.contents.emplace(&subgraph, content);
  return content;
}

}  // namespace fxcut
