#include "extract/symbol_bindings.h"

#include <map>
#include <set>

namespace fxcut {
namespace {

// PyTorch's prefixes of unbacked integers and floats (torch.utils._sympy.symbol), for a symbol that the graph does not
// describe.
bool is_unbacked(const JointGraph& joint, const std::string& symbol) {
  const auto found = joint.symbols.find(symbol);
  if (found != joint.symbols.end()) return !found->second.backed;
  return symbol.starts_with('u') || symbol.starts_with("zuf");
}

void collect_symbols(const Expression* expression, std::set<std::string>& symbols) {
  if (expression) symbols.insert(expression->symbols.begin(), expression->symbols.end());
}

void collect_symbols(const Value& value, std::set<std::string>& symbols) {
  collect_symbols(value.expression.get(), symbols);
  for (const Size& size : value.tensor.shape) collect_symbols(size.expression.get(), symbols);
  for (const Size& stride : value.tensor.stride) collect_symbols(stride.expression.get(), symbols);
  for (const Value& item : value.items) collect_symbols(item, symbols);
}

std::map<std::string, NodeId> first_bindings(const JointGraph& joint) {
  std::map<std::string, NodeId> bindings;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    if (const auto symbol = bound_symbol(joint, joint.graph.nodes[i])) bindings.emplace(*symbol, node_id(i));
  }
  return bindings;
}

}  // namespace

std::optional<std::string> bound_symbol(const JointGraph& joint, const Node& node) {
  if (!node.value || node.value->kind != Value::Kind::SymInt || !node.value->expression->is_symbol()) return std::nullopt;
  const std::string& symbol = node.value->expression->text;
  if (!node.is_placeholder() && !is_unbacked(joint, symbol)) return std::nullopt;
  return symbol;
}

std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs) {
  std::vector<NodeId> binding, derived;
  std::set<std::string> bound;
  for (const NodeId id : saved) {
    if (const auto symbol = bound_symbol(joint, joint.graph[id])) {
      bound.insert(*symbol);
      binding.push_back(id);
    } else {
      derived.push_back(id);
    }
  }
  const std::map<std::string, NodeId> bindings = first_bindings(joint);
  std::vector<NodeId> takers = derived;
  takers.insert(takers.end(), inputs.begin(), inputs.end());
  for (const NodeId id : takers) {
    if (!joint.graph[id].value) continue;
    std::set<std::string> symbols;
    collect_symbols(*joint.graph[id].value, symbols);
    for (const std::string& symbol : symbols) {  // in the order of their names
      const auto found = bindings.find(symbol);
      // A symbol that nothing binds is not PyTorch's to worry about either.
      if (bound.insert(symbol).second && found != bindings.end()) binding.push_back(found->second);
    }
  }
  binding.insert(binding.end(), derived.begin(), derived.end());
  return binding;
}

}  // namespace fxcut
