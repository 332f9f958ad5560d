#include "extract/symbol_bindings.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

void collect_symbols(const Expression* expression, std::set<std::string>& symbols) {
  if (expression) symbols.insert(expression->symbols.begin(), expression->symbols.end());
}

bool uses_unreplaced(const JointGraph& joint) { return joint.torch.release.has(Change::SymbolsAreBoundUnreplaced); }

void collect_symbols(const Value& value, bool unreplaced, std::set<std::string>& symbols) {
  collect_symbols(value.expression.get(), symbols);
  if (unreplaced) collect_symbols(value.unreplaced.get(), symbols);
  for (const Size& size : value.tensor.shape) collect_symbols(size.expression.get(), symbols);
  for (const Size& stride : value.tensor.stride) collect_symbols(stride.expression.get(), symbols);
  for (const Value& item : value.items) collect_symbols(item, unreplaced, symbols);
}

// PyTorch looks for symbols in all saved values, and can do so only for the types that it expects there.
void require_known_sizes(const Node& node, const Value& value) {
  if (value.kind == Value::Kind::Other && value.type_name != "Generator") {
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("'{}' would cross to the backward, but its value is a {}, which cannot be saved", node.name,
                    value.type_name),
        "let it be recomputed: drop its MUST_SAVE, or compute it in the graph instead of taking it as an input");
  }
  for (const Value& item : value.items) require_known_sizes(node, item);
}

// The symbol of a node's value if the value is nothing else.
const std::string* lone_symbol(const Node& node, bool unreplaced) {
  if (!node.value || node.value->kind != Value::Kind::SymInt) return nullptr;
  const bool was_another = unreplaced && node.value->unreplaced;
  const Expression& expression = was_another ? *node.value->unreplaced : *node.value->expression;
  return expression.is_symbol() ? &expression.text : nullptr;
}

}  // namespace

std::map<NodeId, std::string> binding_nodes(const JointGraph& joint) {
  const bool binds_first = joint.torch.release.has(Change::SymbolsAreBoundWhereMade);
  const bool unreplaced = uses_unreplaced(joint);
  std::map<NodeId, std::string> bindings;
  std::set<std::string> seen;  // in the values of the nodes so far
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const Node& node = joint.graph.nodes[i];
    const std::string* symbol = lone_symbol(node, unreplaced);
    const bool binds = symbol && (node.is_placeholder() ||
                                  (is_unbacked(joint, *symbol) && !(binds_first && seen.contains(*symbol))));
    if (binds) bindings.emplace(node_id(i), *symbol);
    if (binds_first && node.value) collect_symbols(*node.value, unreplaced, seen);
  }
  return bindings;
}

std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs) {
  std::vector<NodeId> binding, derived;
  std::set<std::string> bound;
  const std::map<NodeId, std::string> binders = binding_nodes(joint);
  for (const NodeId id : saved) {
    if (const auto found = binders.find(id); found != binders.end()) {
      bound.insert(found->second);
      binding.push_back(id);
    } else {
      derived.push_back(id);
    }
  }
  std::map<std::string, NodeId> bindings;  // the first of each symbol
  for (const auto& [id, symbol] : binders) bindings.emplace(symbol, id);
  std::vector<NodeId> crossing = derived;
  crossing.insert(crossing.end(), inputs.begin(), inputs.end());
  for (const NodeId id : crossing) {
    if (!joint.graph[id].value) continue;
    require_known_sizes(joint.graph[id], *joint.graph[id].value);
    std::set<std::string> symbols;
    collect_symbols(*joint.graph[id].value, uses_unreplaced(joint), symbols);
    for (const std::string& symbol : symbols) {  // by name
      const auto found = bindings.find(symbol);
      // PyTorch ignores a symbol that nothing binds, too.
      if (bound.insert(symbol).second && found != bindings.end()) binding.push_back(found->second);
    }
  }
  binding.insert(binding.end(), derived.begin(), derived.end());
  return binding;
}

}  // namespace fxcut
