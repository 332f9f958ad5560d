// The transparent calls of an Evaluator: bodies, names and barriers, copies to the host and back, wrappers of random operators.
#include "classify/batch_norm.h"
#include "classify/bodies.h"
#include "classify/host_copies.h"
#include "classify/integer_range.h"
#include "verify/evaluator.h"
#include "verify/rounding.h"
#include "verify/terms.h"

namespace fxcut {
namespace {

// Bodies within bodies may multiply. Above this number of nodes a region counts as a call.
constexpr std::size_t kMaxInlinedNodes = 1'000'000;

constexpr std::string_view kIsOnHost = "in host memory";
constexpr std::string_view kCopyingToHost = "being copied to host memory";
constexpr std::string_view kCopyingBack = "being copied back from host memory";

bool is_device(std::span<const Argument> positional, std::size_t position, std::string_view device) {
  return position < positional.size() && positional[position].kind == Argument::Kind::Device &&
         positional[position].text == device;
}

// Whether a list has these sizes, as far as they are known.
bool are_sizes(std::span<const Argument> positional, std::size_t position, const Sizes& sizes) {
  if (position >= positional.size() || positional[position].items.size() != sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Argument& given = positional[position].items[i];
    if (given.kind == Argument::Kind::Int && !sizes[i].expression && given.integer != sizes[i].hint) return false;
  }
  return true;
}

bool is_integer(std::string_view dtype) { return dtype.starts_with("int") || dtype.starts_with("uint"); }

constexpr std::string_view kStateBefore = "the generator's state before";

// The number at the end of a generator's placeholder: "fwd_rng_state_0" gets the same generator as "bwd_rng_state_0".
std::string number_of(const Node& placeholder) {
  const std::string& name = placeholder.target;
  return name.substr(name.find_last_not_of("0123456789") + 1);
}

}  // namespace

std::optional<Held> Evaluator::transparent(const Call& call) {
  if (auto found = named(call)) return found;
  if (auto found = item(call)) return found;
  if (auto found = barrier(call)) return found;
  if (auto found = body(call)) return found;
  if (auto found = under_random_state(call)) return found;
  if (auto found = restored(call)) return found;
  return copy(call);
}

// What an operator names is its first argument, or, in a storage of its own, a copy of that as it is now.
std::optional<Held> Evaluator::named(const Call& call) {
  if (!context_.transparent.naming.contains(call.node.callee->target)) return std::nullopt;
  const Held* given = argument(call, 0);
  if (!given) return std::nullopt;
  if (given->items) return *given;
  const Held copied = new_value(context_.memory.read(*given), call);
  return copied.memory == given->memory ? *given : copied;
}

// The value that a call of the backward restores from fewer bits. A call that the joint graph has is its own.
std::optional<Held> Evaluator::restored(const Call& call) {
  const bool is_after_loss = run_ == Run::Forward && context_.after_loss.contains(call.node.name);
  if ((run_ != Run::Backward && !is_after_loss) || call.positional.size() != 2) return std::nullopt;
  if (call.node.calls("prims.convert_element_type.default")) return cast_back(call);
  return call.node.calls("aten.view.default") ? unpacked(call) : std::nullopt;
}

std::optional<Held> Evaluator::cast_back(const Call& call) {
  const Term term = term_of(call.node.callee->target, call.positional, call, MemoryRead::All);
  if (index_of(term) < context_.num_joint_terms) return std::nullopt;
  const std::string& dtype = call.positional[1].text;
  const std::optional<RoundedForm> form = restored_form(context_.terms, term, dtype);
  const Node* original = form ? context_.joint_node(form->value) : nullptr;
  if (!original || !original->has_tensor() || original->value->tensor.dtype->name != dtype) return std::nullopt;
  if (is_integer(form->dtype)) {  // which overflow, rather than round
    if (!holds_range(*original, form->dtype)) return std::nullopt;
  } else {
    context_.rounded.push_back(*form);
  }
  return reloaded(form->value, new_value(form->value, call));
}

// Whether all elements of the joint graph's value fit the dtype. Of values in bodies that is not known.
bool Evaluator::holds_range(const Node& original, std::string_view dtype) const {
  const auto named = context_.joint_values.find(original.name);
  if (named == context_.joint_values.end() || named->second.node != &original) return false;
  const NodeId id = node_id(static_cast<std::size_t>(&original - context_.joint->nodes.data()));
  const Dtype* narrowest = narrowest_integer(*context_.joint, id);
  const Dtype* given = find_dtype(dtype);
  return narrowest && given && (given == narrowest || given->size_bytes > narrowest->size_bytes);
}

std::optional<Held> Evaluator::unpacked(const Call& call) {
  const Term term = term_of(call.node.callee->target, call.positional, call, MemoryRead::None);
  if (index_of(term) < context_.num_joint_terms || call.positional[1].kind != Argument::Kind::List) return std::nullopt;
  const auto value = call.node.has_tensor() ? unpacked_value(context_.terms, term, call.node.value->tensor.shape) : std::nullopt;
  const Node* original = value ? context_.joint_node(*value) : nullptr;
  if (!original || !original->has_tensor()) return std::nullopt;
  const Tensor& tensor = original->value->tensor;
  const bool is_like = tensor.dtype->name == "bool" && is_contiguous(tensor) &&
                       hints_of(tensor.shape) == hints_of(call.node.value->tensor.shape);
  return is_like ? std::optional(reloaded(*value, new_value(*value, call))) : std::nullopt;
}

std::optional<Held> Evaluator::item(const Call& call) {
  if (!call.node.calls("operator.getitem") || call.positional.size() != 2) return std::nullopt;
  const Held* tuple = argument(call, 0);
  if (!tuple || call.positional[1].kind != Argument::Kind::Int) return std::nullopt;
  if (tuple->batch_norm && call.positional[1].integer >= 0 && call.positional[1].integer < kFirstRunningItem) {
    const std::string head = call_text(call.node.callee->target, call.positional, {}).head;
    return new_value(context_.terms.make(head, {*tuple->batch_norm}), call);
  }
  if (!tuple->items) return std::nullopt;
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
  if (!called || inlined_nodes_ + called->graph.size() > kMaxInlinedNodes) return std::nullopt;
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

bool is_on_host(const Terms& terms, Term term) { return terms.head(term) == kIsOnHost; }

std::optional<Held> Evaluator::copy(const Call& call) {
  const bool is_own = run_ == Run::Joint || run_ == Run::Subgraph;
  if (is_own && !context_.own_copies_are_transparent) return std::nullopt;
  const Held* source = argument(call, 0);
  if (!source) return std::nullopt;
  const std::string& target = call.node.callee->target;
  if (target == kWaitTensor) return wait(call);
  const bool puts = target == kDevicePut;
  if (!puts && target != kOffload && target != kReload &&
      target != kPlaceToHost && target != kPlaceToDevice) {
    return std::nullopt;
  }
  const bool may_be_own = !is_own && !context_.own_copies_are_transparent;
  if (may_be_own && index_of(term_of(target, call.positional, call, MemoryRead::All)) < context_.num_joint_terms) {
    return std::nullopt;
  }
  if (is_on_host(context_.terms, source->term)) return copy_back(call, *source);
  const bool is_plain = (puts && is_device(call.positional, 1, "cpu")) || target == kPlaceToHost;
  if (!is_plain && target != kOffload) return std::nullopt;
  const Term copied = context_.memory.read(*source);
  return Held{context_.terms.make(is_plain ? kIsOnHost : kCopyingToHost, {copied}), context_.memory.copies_of(source->memory)};
}

// The value copied to the host, in memory of its own, with all earlier writes.
Held Evaluator::reloaded(Term value, const Held& on_host) {
  const Term first = context_.terms.head(value) == kWrittenTo ? context_.terms.operands(value).front() : value;
  Held held{value, context_.memory.copies_of(on_host.memory)};
  if (first == value || held.memory.size() != 1) return held;
  held.term = first;
  context_.memory.write(held.memory.front(), context_.terms.operands(value).back());
  return held;
}

// A copy back to the value's device, in its original form.
std::optional<Held> Evaluator::copy_back(const Call& call, const Held& source) {
  const std::string& target = call.node.callee->target;
  const Term value = context_.terms.operands(source.term).front();
  const Node* original = context_.joint_node(value);
  const Tensor* tensor = original && original->has_tensor() ? &original->value->tensor : nullptr;
  const bool is_reload = target == kReload;
  if (target == kDevicePut || is_reload) {
    const bool is_known = tensor && !tensor->device.empty();
    if (is_known && !is_device(call.positional, 1, tensor->device)) return std::nullopt;
  } else if (target != kPlaceToDevice) {
    return std::nullopt;
  }
  if (!is_reload) return reloaded(value, source);
  const bool has_sizes = call.positional.size() > 2;  // PyTorch's policies in a traced step reload without
  if (has_sizes && tensor && !are_sizes(call.positional, 2, tensor->shape)) return std::nullopt;
  const bool has_strides = has_sizes && tensor && !tensor->stride.empty();
  if (has_strides && !are_sizes(call.positional, 3, tensor->stride)) return std::nullopt;
  return Held{context_.terms.make(kCopyingBack, {source.term}), source.memory};
}

// A write to the source before the copy has ended may affect all or part of the copy: it gets a history that nothing else has,
// which is wrong only if it is observed.
Term Evaluator::at_end_of_copy(Term at_start, Term now) {
  if (at_start == now) return now;
  Terms& terms = context_.terms;
  const Term meanwhile = terms.make("written to while it was copied", {now});
  if (terms.head(at_start) != kWrittenTo) return terms.make(kWrittenTo, {at_start, meanwhile});
  const Term value = terms.operands(at_start).front(), before = terms.operands(at_start).back();
  return terms.make(kWrittenTo, {value, terms.make("then", {before, meanwhile})});
}

// A wait has the copy and its source as arguments; a traced step's for a copy back only the copy.
std::optional<Held> Evaluator::wait(const Call& call) {
  const Held *copy = argument(call, 0), *source = argument(call, 1);
  if (!copy || context_.terms.operands(copy->term).empty()) return std::nullopt;
  const std::string& state = context_.terms.head(copy->term);
  const Term copied = context_.terms.operands(copy->term).front();
  const Term source_now = source ? context_.memory.read(*source) : copied;
  if (state == kCopyingToHost && source && before_writes(context_.terms, copied) == before_writes(context_.terms, source_now)) {
    return Held{context_.terms.make(kIsOnHost, {at_end_of_copy(copied, source_now)}), copy->memory};
  }
  if (state != kCopyingBack || (source && copied != source->term)) return std::nullopt;
  return reloaded(context_.terms.operands(copied).front(), *copy);
}

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
  const std::string_view target = call.positional[op].text;
  const std::span<const Argument> positional = call.positional.subspan(op + 1);
  if (has_state && is_overwritten(call)) {
    return new_value(unread_result(call_text(target, positional, call.node.arguments->keyword), call), call);
  }
  const Term wrapped = term_of(target, positional, call, MemoryRead::All);
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
    if (is_overwritten(call)) return new_value(unread_result(text, call), call);
    if (is_of_call(context_.terms, first, wrapped)) return new_value(first, call);
  }
  return new_value(context_.terms.make("drawn under another generator", {wrapped}), call);
}

}  // namespace fxcut
