#include "verify/evaluator.h"

#include <algorithm>

#include "classify/batch_norm.h"
#include "classify/operator_table.h"
#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "verify/counted_memory.h"
#include "verify/described_value.h"

namespace fxcut {
namespace {

// PyTorch merges equal calls of these and recomputes them: it tags them as random after both passes.
bool is_treated_as_pure(const Operator& op) { return op.space == "prims" || op.space == "rngprims"; }

// The head of a result that is overwritten before it is read. The joint graph reads no such term, so no side may.
const std::string kMemoryOf = "memory of ";

}  // namespace

bool copies_to_itself(const Node& call) {
  return call.calls("aten.copy_.default") && call.inputs.size() > 1 && call.inputs[0] == call.inputs[1];
}

const Node* EvaluationContext::joint_node(Term term) const {
  const auto found = joint_nodes.find(static_cast<std::uint32_t>(before_writes(terms, term)));
  return found == joint_nodes.end() ? nullptr : found->second;
}

const Node* EvaluationContext::joint_node(std::string_view name, Term term) const {
  const auto found = joint_values.find(name);
  if (found == joint_values.end() || memory.unread_form(found->second.term) != memory.unread_form(term)) return nullptr;
  return found->second.node;
}

const Subgraph* EvaluationContext::find(const Subgraphs& subgraphs, std::string_view name) {
  if (subgraphs.empty()) return nullptr;
  const auto [known, is_new] = subgraphs_by_name.try_emplace(&subgraphs);
  if (is_new) {
    for (const auto& [subgraph_name, subgraph] : subgraphs) known->second.emplace(subgraph_name, &subgraph);
  }
  const auto found = known->second.find(name);
  return found == known->second.end() ? nullptr : found->second;
}

std::vector<Held> Evaluator::run(const Graph& graph, const Subgraphs& subgraphs, const std::vector<Held>& inputs) {
  Scope scope{graph, subgraphs, {}};
  scope.values.reserve(graph.size());
  std::size_t position = 0;
  for (const Node& node : graph.nodes) {
    if (!node.is_placeholder()) {
      scope.values.push_back(evaluate(node, scope));
    } else if (position < inputs.size()) {
      scope.values.push_back(inputs[position++]);
    } else {
      scope.values.push_back(input(context_.terms.make("no value for " + node.name), nullptr));
      scope.values.push_back(evaluate(node, scope));
    }
    if (run_ == Run::Subgraph || node.is_output()) continue;
    const Term value = scope.values.back().term, form = context_.memory.unread_form(value);
    note_computed(value, node);
    if (form != value) note_computed(form, node);
  }
  return std::move(scope.values);
}

void Evaluator::note_computed(Term term, const Node& node) {
  if (run_ == Run::Joint) context_.joint_nodes.emplace(static_cast<std::uint32_t>(term), &node);
  context_.names.emplace(static_cast<std::uint32_t>(term), node.name);
}

Held Evaluator::input(Term term, const Value* value) {
  Held held{term};
  const std::vector<std::int64_t> storages = storages_in(value);
  for (const std::int64_t storage : storages) {
    const auto [known, is_new] = inputs_.try_emplace(storage, WrittenRegion{});
    if (is_new) known->second = context_.memory.make(storage);
    held.memory.push_back(known->second);
  }
  if (storages.empty()) held.memory.push_back(context_.memory.make(std::nullopt));
  return held;
}

Held Evaluator::evaluate(const Node& node, Scope& scope) {
  if (node.is_output()) return {context_.terms.make("output")};
  return node.is_call() ? call(node, scope) : attribute(node, scope);
}

Held Evaluator::attribute(const Node& node, const Scope& scope) {
  if (const Subgraph* found = context_.find(scope.subgraphs, node.target)) return {content_of(*found).term};
  return {context_.terms.make("constant " + node.target)};
}

Held Evaluator::call(const Node& node, Scope& scope) {
  Call call{node, node.arguments->positional, scope};
  if (auto seen = transparent(call)) return std::move(*seen);
  if (copies_to_itself(node) || copies_to_its_equal(call) || writes_same(call))
    return scope.values[index_of(node.inputs.front())];
  return node.callee->mutates ? write(call) : plain(call);
}

Held Evaluator::plain(const Call& given) {
  Call call = given;
  if (call.node.calls("higher_order.invoke_subgraph")) {  // without the generators that its caller passes on
    while (!call.positional.empty()) {
      const Held* last = argument(call, call.positional.size() - 1);
      if (!last || !last->is_generator) break;
      call.positional = call.positional.first(call.positional.size() - 1);
    }
  }
  const bool reads = !call.node.callee->is(Operator::View) && !call.node.calls("operator.getitem");
  const MemoryRead read = reads ? MemoryRead::All : MemoryRead::None;
  const bool is_unread = is_overwritten(call), draws = draws_numbers(call);
  Term term = is_unread && draws ? unread_result(call) : term_of(call.node.callee->target, call.positional, call, read);
  if (!is_unread && draws) term = draws_.draw(term, call.node.name);
  if ((is_unread && !draws) || is_overwritten_on_a_side(call)) context_.memory.note_unread(term, unread_result(call));
  if (!reads && context_.memory.has_unread()) note_unread_view(term, call);
  // A wait has no effect but on its argument, and who reads that has the wait in its term.
  const bool waits = is_wait(call.node) || waits_for_argument(call.node);
  if (is_impure(call.node) && !waits) note_effect(term, call.node, EffectKind::Check);
  if (call.node.calls("higher_order.with_effects")) note_effect(term, call.node, EffectKind::Ordered);
  if (ignores_running_statistics(call.node)) term = without_running_statistics(call);
  Held value = new_value(term, call);
  if (only_updates_running_statistics(call.node)) value.batch_norm = without_running_statistics(call);
  return value;
}

// Whether the joint graph or this one overwrites the result of this call before it reads it. Nodes of bodies have names of
// their own.
bool Evaluator::is_overwritten(const Call& call) const {
  if (!is_of_whole_graph() || context_.overwritten.empty()) return false;
  if (context_.overwritten[run_].contains(call.node.name)) return true;
  const bool is_repeated = run_ != Run::Joint && !context_.joint_values.contains(call.node.name);
  return context_.overwritten[Run::Joint].contains(is_repeated ? name_without_suffix(call.node.name) : call.node.name);
}

bool Evaluator::is_overwritten_on_a_side(const Call& call) const {
  return run_ == Run::Joint && is_of_whole_graph() && context_.overwritten_on_sides.contains(call.node.name);
}

// A result that is overwritten before it is read. Only the form of the tensors it is made from matters.
Term Evaluator::unread_result(const Call& call) {
  return unread_result(call_text(call.node.callee->target, call.positional, call.node.arguments->keyword), call);
}

Term Evaluator::unread_result(const CallText& text, const Call& call) {
  std::vector<Term> operands;
  for (const std::uint32_t input : text.operands) operands.push_back(form_of(call, input));
  return context_.terms.make(kMemoryOf + text.head, std::move(operands));
}

// A view of such a result, or an item.
void Evaluator::note_unread_view(Term view, const Call& call) {
  const CallText text = call_text(call.node.callee->target, call.positional, call.node.arguments->keyword);
  std::vector<Term> forms;
  for (const std::uint32_t input : text.operands) forms.push_back(context_.memory.unread_form(operand(held(call, input), false)));
  const Term form = context_.terms.make(text.head, std::move(forms));
  if (form != view) context_.memory.note_unread(view, form);
}

// The joint graph's description of that value, or the side's if the joint graph lacks it; the value itself if there is no
// description, or it is not a tensor.
Term Evaluator::form_of(const Call& call, std::size_t input) {
  const Term term = operand(held(call, input), false);
  const Node* known = context_.joint_node(term);
  const Node& described_by = known ? *known : call.scope.graph[call.node.inputs[input]];
  return described_by.has_tensor() ? context_.terms.make("of the form " + described(*described_by.value)) : term;
}

Term Evaluator::without_running_statistics(const Call& call) {
  std::vector<Argument> positional(call.positional.begin(), call.positional.end());
  positional[kRunningMean] = positional[kRunningVar] = Argument();
  const Term term = term_of(call.node.callee->target, positional, call, MemoryRead::All);
  if (run_ != Run::Subgraph) context_.names.emplace(static_cast<std::uint32_t>(term), call.node.name);
  return term;
}

// Whether it is a copy_ of a value to an equal one that the sides have merged with it.
bool Evaluator::copies_to_its_equal(const Call& call) {
  if (run_ != Run::Joint || !is_of_whole_graph() || !context_.idle_on_sides.contains(call.node.name)) return false;
  const bool is_copy = call.node.calls("aten.copy_.default") && call.node.inputs.size() > 1;
  return is_copy && operand(held(call, 0), true) == operand(held(call, 1), true);
}

// Whether it is a copy_ that writes what is there already: one of the joint graph, with its operands in one memory or holding
// what they hold in the joint graph.
bool Evaluator::writes_same(const Call& call) {
  const auto known = context_.same_copies.find(call.node.name);
  if (known == context_.same_copies.end() || !is_of_whole_graph()) return false;
  if (!call.node.calls("aten.copy_.default") || call.node.inputs.size() < 2) return false;
  const Held &to = held(call, 0), &from = held(call, 1);
  CopiedInJoint& in_joint = known->second;
  if (run_ == Run::Joint) in_joint = {to.term, from.term, operand(to, true), operand(from, true)};
  const bool are_one = to.term == in_joint.to && from.term == in_joint.from && !to.memory.empty() && to.memory == from.memory;
  return are_one || (operand(to, true) == in_joint.to_now && operand(from, true) == in_joint.from_now);
}

// Nodes of bodies may have the names of others outside.
bool Evaluator::is_whole_write(const Call& call) const {
  return is_of_whole_graph() && call.node.calls("aten.copy_.default") && context_.whole_writes.contains(call.node.name);
}

Held Evaluator::write(const Call& call) {
  const Operator& op = *call.node.callee;
  const bool is_whole = is_whole_write(call);
  Term event = term_of(op.target, call.positional, call, is_whole ? MemoryRead::AllButFirst : MemoryRead::All);
  if (draws_numbers(call)) event = draws_.draw(event, call.node.name);
  const Held* destination = op.mutable_arguments == std::vector<std::string>{"self"} ? argument(call, 0) : nullptr;
  const Held written = destination ? *destination : Held{event, memory_of(event, call)};
  std::set<WrittenRegion> regions;
  for (const NodeId input : written_inputs(call.node)) {
    const Held& given = call.scope.values[index_of(input)];
    regions.insert(given.memory.begin(), given.memory.end());
  }
  for (const WrittenRegion region : regions) {
    is_whole ? context_.memory.overwrite(region, event) : context_.memory.write(region, event);
    if (run_ == Run::Joint && is_of_whole_graph()) note_restored(call.node, region);
  }
  note_effect(event, call.node, EffectKind::Write);
  effects_.back().is_to_known_memory =
      !regions.empty() && std::all_of(regions.begin(), regions.end(), [&](WrittenRegion region) {
        return context_.memory.is_known(region);
      });
  return written;
}

// The copy that restores has one destination.
void Evaluator::note_restored(const Node& write, WrittenRegion destination) {
  RestoredInJoint& restored = context_.restored;
  if (restored.by_copy.empty()) return;
  const Term now = *context_.memory.history(destination);
  restored.after.emplace(std::pair(std::string_view(write.name), destination), now);
  const auto held_after = restored.by_copy.find(write.name);
  if (held_after == restored.by_copy.end()) return;
  if (!held_after->second) return context_.memory.note_same(now, std::nullopt);
  const auto first = restored.after.find({*held_after->second, destination});
  if (first != restored.after.end()) context_.memory.note_same(now, first->second);
}

Term Evaluator::term_of(std::string_view target, std::span<const Argument> positional, const Call& call, MemoryRead read) {
  const CallText text = call_text(target, positional, call.node.arguments->keyword);
  std::vector<Term> operands;
  operands.reserve(text.operands.size());
  for (const std::uint32_t input : text.operands) {
    const bool is_overwritten = read == MemoryRead::AllButFirst && input == 0;
    const Term given = operand(held(call, input), read != MemoryRead::None && !is_overwritten);
    operands.push_back(is_overwritten ? context_.memory.unread_form(given) : given);
  }
  const Term term = context_.terms.make(text.head, std::move(operands));
  if (run_ != Run::Joint) return context_.gradients_of_relus.in_joint(context_.terms, term);
  context_.gradients_of_relus.note(context_.terms, term);
  return term;
}

Held Evaluator::new_value(Term term, const Call& call) { return {term, memory_of(term, call)}; }

std::vector<WrittenRegion> Evaluator::memory_of(Term term, const Call& call) {
  // Equal calls of the joint graph have a memory each.
  const Node* described = run_ == Run::Joint || run_ == Run::Subgraph ? &call.node : context_.joint_node(call.node.name, term);
  if (!described) described = context_.joint_node(term);
  if (!described) return own_memory_of(call);
  const std::vector<std::int64_t> storages = storages_in(described->value.get());
  std::vector<WrittenRegion> memory;
  for (const std::int64_t storage : storages) {
    std::optional<WrittenRegion> shared;
    for (std::size_t i = 0; i < call.node.inputs.size() && !shared; ++i) {
      for (const WrittenRegion region : held(call, i).memory) {
        if (context_.memory.storage_of(region) == storage) shared = region;
      }
    }
    memory.push_back(shared ? *shared : context_.memory.make(storage));
  }
  return memory;
}

std::vector<WrittenRegion> Evaluator::own_memory_of(const Call& call) {
  std::vector<WrittenRegion> memory;
  if (!computes_nothing(call.scope.graph, call.node)) return {context_.memory.make_own()};
  for (std::size_t i = 0; i < call.node.inputs.size(); ++i) {
    const std::vector<WrittenRegion>& given = held(call, i).memory;
    memory.insert(memory.end(), given.begin(), given.end());
  }
  return memory;
}

bool Evaluator::draws_numbers(const Call& call) {
  const Operator& op = *call.node.callee;
  if (op.kind == Operator::Kind::HigherOrder) {
    const auto is_random_operator = [](const Argument& given) { return given.callee && given.callee->seeded_random; };
    if (std::any_of(call.positional.begin(), call.positional.end(), is_random_operator)) return true;
    for (const NodeId input : call.node.inputs) {
      const Node& node = call.scope.graph[input];
      if (node.opcode != Opcode::GetAttr) continue;
      const Subgraph* found = context_.find(call.scope.subgraphs, node.target);
      if (found && content_of(*found).draws) return true;
    }
    return false;
  }
  if (!op.is_overload() || !op.seeded_random || is_treated_as_pure(op)) return false;
  const auto dropout = op.dropout ? op.dropout : make_operator(op.target).dropout;
  return !(dropout && has_zero_dropout(call.node, *dropout));
}

void Evaluator::note_effect(Term term, const Node& node, EffectKind kind) {
  PartitionerTag tag = node.meta.tag;
  for (auto outer = bodies_.rbegin(); outer != bodies_.rend() && tag == PartitionerTag::None; ++outer) tag = *outer;
  const bool in_backward = tag == PartitionerTag::IsBackward || tag == PartitionerTag::MustBeInBackward;
  effects_.push_back({.term = term, .node = node.name, .kind = kind, .in_backward = in_backward});
}

const Held* Evaluator::argument(const Call& call, std::size_t position) const {
  if (position >= call.positional.size() || call.positional[position].kind != Argument::Kind::Node) return nullptr;
  return &held(call, call.positional[position].index);
}

Term Evaluator::operand(const Held& held, bool reads) {
  const Held& value = held.is_lone_item ? held.items->front() : held;
  return reads ? context_.memory.read_content(value) : value.term;
}

Held Evaluator::tuple(std::vector<Held> items) {
  Held whole;
  std::vector<Term> terms;
  for (const Held& item : items) {
    terms.push_back(item.term);
    whole.memory.insert(whole.memory.end(), item.memory.begin(), item.memory.end());
  }
  whole.term = context_.terms.make("tuple", std::move(terms));
  whole.items = std::make_shared<const std::vector<Held>>(std::move(items));
  return whole;
}

// An argument as a value, with the items of tuples and lists.
Held Evaluator::structured(const Argument& argument, const Node& node, const Scope& scope) {
  switch (argument.kind) {
    case Argument::Kind::Node: return scope.values[index_of(node.inputs[argument.index])];
    case Argument::Kind::List:
    case Argument::Kind::Tuple:
    case Argument::Kind::Dict: {
      std::vector<Held> items;
      for (const Argument& item : argument.items) items.push_back(structured(item, node, scope));
      return tuple(std::move(items));
    }
    default: return {context_.terms.make(constant_text(argument))};
  }
}

}  // namespace fxcut
