#include "classify/purity.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "classify/operator_table.h"

namespace fxcut {
namespace {

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether PyTorch's regular expression (?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_) matches in the name of a
// function: a lone underscore at the end or before a dot, or one of four verbs between single underscores or word
// boundaries.
bool names_a_mutation(std::string_view name) {
  const auto at = [&](std::size_t i) { return i < name.size() ? name[i] : '\0'; };
  for (std::size_t i = 0; i <= name.size(); ++i) {
    if (i > 0 && name[i - 1] == '_') continue;  // (?<!_)
    if (at(i) == '_' && i + 1 == name.size()) return true;
    if (at(i) == '_' && at(i + 1) == '.' && at(i + 2) != '_') return true;
    const bool boundary = (i > 0 && is_word(name[i - 1])) != is_word(at(i));
    for (const std::string_view verb : std::array<std::string_view, 4>{"set", "enter", "exit", "seed"}) {
      for (const bool underscore : {false, true}) {  // before the verb: \b or _
        if (underscore ? at(i) != '_' : !boundary) continue;
        const std::size_t begin = i + (underscore ? 1 : 0), end = begin + verb.size();
        if (name.substr(std::min(begin, name.size()), verb.size()) != verb) continue;
        if (!is_word(at(end))) return true;                       // \b, and then no underscore
        if (at(end) == '_' && at(end + 1) != '_') return true;    // _, and then no other
      }
    }
  }
  return false;
}

// The function's __name__ in Python: of an overload "add_.Tensor".
std::string_view name_in_python(const Operator& op) {
  return op.is_overload() ? std::string_view(op.target).substr(op.space.size() + 1) : std::string_view(op.base_name);
}

}  // namespace

bool draws_numbers(const Node& node) {
  if (!is_random(node)) return false;
  // Releases in which attention without dropout is random have no position of the dropout argument.
  const auto dropout = make_operator(node.callee->target).dropout;
  return !(dropout && has_zero_dropout(node, *dropout));
}

RandomCalls::RandomCalls(const Subgraphs& subgraphs) {
  for (const auto& [name, subgraph] : subgraphs) {
    const RandomCalls inner(subgraph.subgraphs);
    const auto& nodes = subgraph.graph.nodes;
    const bool draws = std::any_of(nodes.begin(), nodes.end(),
                                   [&](const Node& node) { return inner.contains(subgraph.graph, node); });
    if (draws) drawing_.insert(name);
  }
}

bool RandomCalls::contains(const Graph& graph, const Node& node) const {
  if (!node.is_call()) return false;
  if (node.callee->kind != Operator::Kind::HigherOrder) return draws_numbers(node);
  if (runs_under_given_state(node)) return false;
  const auto& given = node.arguments->positional;
  const bool has_random_operator =
      std::any_of(given.begin(), given.end(), [](const Argument& a) { return a.callee && a.callee->seeded_random; });
  if (has_random_operator || drawing_.empty()) return has_random_operator;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) {
    return graph[input].opcode == Opcode::GetAttr && drawing_.contains(graph[input].target);
  });
}

bool has_zero_dropout(const Node& node, const Operator::Dropout& dropout) {
  const auto [position, by_default] = dropout;
  const Argument* given = argument_of(node, position, "dropout_p");
  if (!given) return by_default == 0.0;
  switch (given->kind) {
    case Argument::Kind::Bool:
    case Argument::Kind::Int: return given->integer == 0;
    case Argument::Kind::Float: return given->real == 0;
    case Argument::Kind::Complex: return given->real == 0 && given->imaginary == 0;
    default: return false;
  }
}

bool runs_under_given_state(const Node& node) {
  return node.calls("higher_order.run_with_rng_state") || node.calls("higher_order.graphsafe_run_with_rng_state");
}

bool is_impure(const Node& node) {
  if (node.is_placeholder() || node.is_output()) return true;
  if (!node.is_call()) return false;
  if (node.callee->has_effects_of_wrapped && !node.arguments->positional.empty()) {
    const Argument& op = node.arguments->positional.front();
    return op.callee && op.callee->has_side_effect;
  }
  return node.callee->stays_unused;
}

bool is_mutation_in(const Node& node, Release release) {
  if (!node.is_call()) return false;
  const Operator& op = *node.callee;
  if (release.has(Change::MutationsBySchema)) {
    if (op.is_overload() && op.target != "inductor.resize_storage_bytes_.default") return op.mutates;
    if (op.target == "higher_order.auto_functionalized") return false;
  }
  if (names_a_mutation(release.has(Change::MutationsBySchema) ? std::string_view(op.base_name) : name_in_python(op))) return true;
  const Argument* out = node.arguments->find("out");
  return out && out->kind != Argument::Kind::None;
}

bool is_mutation(const Node& node) { return is_mutation_in(node, kNewestRelease); }

bool is_random(const Node& node) {
  if (!node.is_call() || !node.callee->is_overload() || !node.callee->seeded_random) return false;
  return !(node.callee->dropout && has_zero_dropout(node, *node.callee->dropout));
}

bool draws_from_seed(const Operator& op) { return op.packet == "prims.inductor_random" || op.packet == "prims.inductor_randint"; }

bool draws_seeds(const Node& node) { return is_random(node) && node.callee->target.starts_with("prims.inductor_"); }

bool is_wait(const Node& node) {
  return node.calls("_c10d_functional.wait_tensor.default") || node.calls("_c10d_functional.wait_tensors.default");
}

bool must_be_in_forward(const Node& node) {
  if (node.meta.tag == PartitionerTag::MustBeInForward) return true;
  return node.meta.tag != PartitionerTag::IsBackward && node.meta.tag != PartitionerTag::MustBeInBackward &&
         node.is_call() && node.callee->runs_in_forward;
}

bool must_be_in_backward(const Node& node) {
  if (node.meta.tag == PartitionerTag::MustBeInBackward) return true;
  return node.meta.tag == PartitionerTag::IsBackward && node.is_call() && node.callee->follows_backward_tag;
}

}  // namespace fxcut
