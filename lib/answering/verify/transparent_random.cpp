// Wrappers of random operators, which are transparent to an Evaluator.
#include <algorithm>

#include "verify/evaluator.h"
#include "verify/terms.h"

namespace fxcut {
namespace {

constexpr std::string_view kStateBefore = "the generator's state before";

// The number at the end of a generator's placeholder: "fwd_rng_state_0" gets the same generator as "bwd_rng_state_0".
std::string number_of(const Node& placeholder) {
  const std::string& name = placeholder.target;
  return name.substr(name.find_last_not_of("0123456789") + 1);
}

}  // namespace

// The result of a wrapped operator: numbers that it draws, or a computed value, such as attention without dropout.
Term Evaluator::drawn(Term wrapped, const Node& wrapper) {
  const bool is_side = run_ == Run::Forward || run_ == Run::Backward;
  if (is_side && context_.joint_nodes.contains(static_cast<std::uint32_t>(wrapped))) return wrapped;
  return draws_.draw(wrapped, wrapper.name);
}

std::optional<Held> Evaluator::under_random_state(const Call& call) {
  const bool saves = call.node.calls("higher_order.run_and_save_rng_state");
  const bool has_state = call.node.calls("higher_order.run_with_rng_state");
  if (call.node.calls("higher_order.graphsafe_run_with_rng_state")) {
    const Argument* generator = call.node.arguments->find("rng_state");
    const bool is_node = generator && generator->kind == Argument::Kind::Node;
    if (is_node && held(call, generator->index).is_generator && !call.positional.empty()) return under_generator(call);
  }
  const std::size_t op = has_state ? 1 : 0;  // position of the operator
  if ((!saves && !has_state) || call.positional.size() <= op) return std::nullopt;
  if (call.positional[op].kind != Argument::Kind::Operator) return std::nullopt;
  const Term wrapped = term_of(call.positional[op].text, call.positional.subspan(op + 1), call, true);
  if (saves) {
    const Term result = drawn(wrapped, call.node);
    const Held state{context_.terms.make(kStateBefore, {result})};
    return tuple({state, new_value(result, call)});
  }
  const Held* state = argument(call, 0);
  if (!state) return std::nullopt;
  if (context_.terms.head(state->term) == kStateBefore) {
    const Term first = context_.terms.operands(state->term).front();
    if (is_of_call(context_.terms, first, wrapped)) return new_value(first, call);
  }
  return new_value(context_.terms.make("drawn under another state", {wrapped, state->term}), call);
}

// The backward's n-th draw under a generator is the forward's n-th.
Held Evaluator::under_generator(const Call& call) {
  const std::vector<std::pair<std::string, Argument>>& keyword = call.node.arguments->keyword;
  KeywordArguments others;
  for (const auto& argument : keyword) {
    if (argument.first != "rng_state") others.push_back(argument);
  }
  const NodeId generator = call.node.inputs[call.node.arguments->find("rng_state")->index];
  const CallText text = call_text(call.positional.front().text, call.positional.subspan(1), others);
  std::vector<Term> operands;
  for (const std::uint32_t input : text.operands) operands.push_back(operand(held(call, input), true));
  const Term wrapped = context_.terms.make(text.head, std::move(operands));
  std::deque<Term>& drawn_before = context_.drawn_under[number_of(call.scope.graph[generator])];
  if (run_ != Run::Backward) {
    drawn_before.push_back(drawn(wrapped, call.node));
    return new_value(drawn_before.back(), call);
  }
  if (!drawn_before.empty()) {
    const Term first = drawn_before.front();
    drawn_before.pop_front();
    if (is_of_call(context_.terms, first, wrapped)) return new_value(first, call);
  }
  return new_value(context_.terms.make("drawn under another generator", {wrapped}), call);
}

}  // namespace fxcut
