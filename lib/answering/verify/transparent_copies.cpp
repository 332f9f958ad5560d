// Copies to the host and back, which are transparent to an Evaluator.
#include <algorithm>

#include "classify/host_copies.h"
#include "verify/evaluator.h"

namespace fxcut {
namespace {

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

}  // namespace

bool is_on_host(const Terms& terms, Term term) { return terms.head(term) == kIsOnHost; }

std::optional<Held> Evaluator::copy(const Call& call) {
  if (run_ == Run::Joint || run_ == Run::Subgraph) return std::nullopt;
  const Held* source = argument(call, 0);
  if (!source) return std::nullopt;
  const std::string& target = call.node.callee->target;
  if (target == kWaitTensor) return wait(call);
  const bool puts = target == kDevicePut;
  if (!puts && target != kOffload && target != kReload &&
      target != kPlaceToHost && target != kPlaceToDevice) {
    return std::nullopt;
  }
  const std::size_t before = context_.num_joint_terms;
  if (index_of(term_of(target, call.positional, call, true)) < before) return std::nullopt;  // the joint graph's own
  if (is_on_host(context_.terms, source->term)) return copy_back(call, *source);
  const bool is_plain = (puts && is_device(call.positional, 1, "cpu")) || target == kPlaceToHost;
  if (!is_plain && target != kOffload) return std::nullopt;
  const Term copied = context_.memory.read(*source);
  return Held{context_.terms.make(is_plain ? kIsOnHost : kCopyingToHost, {copied})};
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
  if (!is_reload) return Held{value, {context_.memory.make(std::nullopt)}};
  if (tensor && !are_sizes(call.positional, 2, tensor->shape)) return std::nullopt;
  const bool has_strides = tensor && !tensor->stride.empty();
  if (has_strides && !are_sizes(call.positional, 3, tensor->stride)) return std::nullopt;
  return Held{context_.terms.make(kCopyingBack, {source.term})};
}

// A wait has the copy and its source as arguments.
std::optional<Held> Evaluator::wait(const Call& call) {
  const Held *copy = argument(call, 0), *source = argument(call, 1);
  if (!copy || !source || context_.terms.operands(copy->term).empty()) return std::nullopt;
  const std::string& state = context_.terms.head(copy->term);
  const Term copied = context_.terms.operands(copy->term).front();
  if (state == kCopyingToHost && copied == context_.memory.read(*source)) {
    return Held{context_.terms.make(kIsOnHost, {copied})};
  }
  if (state != kCopyingBack || copied != source->term) return std::nullopt;
  return Held{context_.terms.operands(copied).front(), {context_.memory.make(std::nullopt)}};
}

}  // namespace fxcut
