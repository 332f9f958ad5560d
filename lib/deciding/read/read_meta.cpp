#include "read/read_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::array<std::pair<std::string_view, PartitionerTag>, 4> kTags = {{
    {"is_forward", PartitionerTag::IsForward},
    {"is_backward", PartitionerTag::IsBackward},
    {"must_be_in_forward", PartitionerTag::MustBeInForward},
    {"must_be_in_backward", PartitionerTag::MustBeInBackward},
}};

// Milliseconds, zero or more.
std::optional<double> read_runtime(const JsonValue& json, std::string_view node, Mistakes& mistakes) {
  const auto runtime_ms = read_real(json, node, mistakes);
  if (!runtime_ms || *runtime_ms >= 0) return runtime_ms;
  mistakes.add(json, node, fmt::format("expected a run time of 0 ms or more, found {}", *runtime_ms), "");
  return std::nullopt;
}

// A part of an execution context: its JSON text, so that equal values have equal texts. In Python 1, 1.0 and true are
// equal.
std::string json_text(const JsonValue& json) {
  if (json.is(Type::Bool)) return json.boolean() ? "1" : "0";
  if (json.is(Type::Integer) || json.is(Type::Real)) return fmt::format("{}", json.real());
  std::string text;
  json.document().append(json.ticket(), text);
  return text;
}

// For a node whose context is not the default.
void set_context(Node& node, ExecutionContext context) {
  if (context != ExecutionContext()) node.context = std::make_shared<const ExecutionContext>(std::move(context));
}

void read_reload_node(const JsonValue& json, Node& node, Mistakes& mistakes) {
  const auto name = read_string(json, node.name, mistakes);
  ExecutionContext context = node.context ? *node.context : ExecutionContext();
  context.reload_node = name.value_or("");
  set_context(node, std::move(context));
}

void read_custom(const JsonValue& json, Node& node, Mistakes& mistakes) {
  ExecutionContext context = node.context ? *node.context : ExecutionContext();
  if (json.is(Type::Object)) {
    for (const JsonValue field : json) {
      if (field.key() == "_region_activation_memory_budget" && !field.is(Type::Null)) {
        node.meta.region_budget = read_real(field, node.name, mistakes);
      }
      if (field.key() == "phase") node.meta.backward_phase = field.is(Type::String) && field.text() == "backward";
      if (field.key() == "stream") context.stream = json_text(field);
      if (field.key() == "mempool" && !field.is(Type::Null)) context.memory_pool = json_text(field);
      if (field.key() == "mempool_device" && !field.is(Type::Null)) context.memory_pool_device = json_text(field);
    }
  }
  set_context(node, std::move(context));
}

}  // namespace

void MetaReader::read(const JsonValue& json, Node& node) {
  if (!expect(json, Type::Object, node.name, mistakes_)) return;
  Origin origin;
  for (const JsonValue field : json) {
    if (!field.is(Type::Null)) read_field(field, node, origin);
  }
  node.provenance = share(origin);
}

void MetaReader::read_field(const JsonValue& field, Node& node, Origin& origin) {
  const std::string_view key = field.key();
  Meta& meta = node.meta;
  if (key == "recompute") {
    meta.recompute = read_word(field, kCheckpointPolicies, "checkpoint policy", node.name, mistakes_);
  } else if (key == "partitioner_tag") {
    meta.tag = read_word(field, kTags, "partitioner tag", node.name, mistakes_).value_or(PartitionerTag::None);
  } else if (key == "ac_graph_id") {
    meta.ac_graph_id = read_integer(field, node.name, mistakes_);
  } else if (key == "has_backward_hook") {
    meta.has_backward_hook = read_boolean(field, node.name, mistakes_).value_or(false);
  } else if (key == "saved_tensor_with_no_vc_check") {
    meta.saved_without_version_check = read_boolean(field, node.name, mistakes_).value_or(false);
  } else if (key == "memory_budget") {
    // PyTorch uses only a Python float: 1.0, not 1.
    if (field.is(Type::Real)) meta.memory_budget = field.real();
  } else if (key == "should_offload") {
    meta.should_offload = read_boolean(field, node.name, mistakes_).value_or(false);
  } else if (key == "aot_runtime_epilogue_input_mutation") {
    meta.replayed_mutation = read_boolean(field, node.name, mistakes_).value_or(false);
  } else if (key == "autograd_backward") {
    meta.autograd_backward = read_boolean(field, node.name, mistakes_).value_or(false);
  } else if (key == "cpu_offload_reload_node") {
    read_reload_node(field, node, mistakes_);
  } else if (key == "runtime_ms") {
    meta.runtime_ms = read_runtime(field, node.name, mistakes_);
  } else if (key == "custom") {
    read_custom(field, node, mistakes_);
  } else {
    read_origin(field, node.name, origin);
  }
}

void MetaReader::read_line(const JsonValue& json, std::string_view node, Line& line) {
  if (!expect(json, Type::Object, node, mistakes_)) return;
  for (const JsonValue part : json) {
    const std::string_view name = part.key();
    if (name == "file") line.file = read_string(part, node, mistakes_).value_or("");
    if (name == "line") line.number = std::max<std::int64_t>(read_integer(part, node, mistakes_).value_or(0), 0);
    if (name == "function") line.function = read_string(part, node, mistakes_).value_or("");
  }
}

void MetaReader::read_origin(const JsonValue& field, std::string_view node, Origin& origin) {
  const std::string_view key = field.key();
  if (key == "module") origin.module = read_string(field, node, mistakes_).value_or("");
  if (key == "checkpoint_name") origin.checkpoint_name = read_string(field, node, mistakes_).value_or("");
  if (key == "source") read_line(field, node, origin.source);
  if (key == "user_source") read_line(field, node, origin.user_source);
}

std::size_t MetaReader::OriginHash::operator()(const Origin& origin) const {
  constexpr std::size_t kFactor = 0x9e3779b97f4a7c15;
  std::size_t hash =
      static_cast<std::size_t>(origin.source.number) * kFactor ^ static_cast<std::size_t>(origin.user_source.number);
  for (const std::string_view part :
       {origin.module, origin.source.file, origin.source.function, origin.checkpoint_name, origin.user_source.file}) {
    hash = hash * kFactor ^ std::hash<std::string_view>()(part);
  }
  return hash;
}

// Most nodes come from the same place as the one before.
std::shared_ptr<const Provenance> MetaReader::share(const Origin& origin) {
  if (last_ != nullptr && last_->first == origin) return last_->second;
  Origins::value_type& known = *known_.try_emplace(origin).first;
  if (!known.second) {
    known.second = std::make_shared<const Provenance>(
        Provenance{std::string(origin.module), std::string(origin.source.file), origin.source.number,
                   std::string(origin.source.function), std::string(origin.checkpoint_name),
                   std::string(origin.user_source.file), origin.user_source.number,
                   std::string(origin.user_source.function)});
  }
  last_ = &known;
  return known.second;
}

}  // namespace fxcut
