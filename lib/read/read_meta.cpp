#include "read/read_meta.h"

#include <fmt/format.h>

#include <array>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::array<std::pair<std::string_view, PartitionerTag>, 4> kTags = {{
    {"is_forward", PartitionerTag::IsForward},
    {"is_backward", PartitionerTag::IsBackward},
    {"must_be_in_forward", PartitionerTag::MustBeInForward},
    {"must_be_in_backward", PartitionerTag::MustBeInBackward},
}};

// The entry of `names` that `json` names; a mistake where it is none of them.
template <typename Names>
auto read_name(const JsonValue& json, const Names& names, std::string_view what, std::string_view node,
               Mistakes& mistakes) -> std::optional<typename Names::value_type::second_type> {
  const auto text = read_string(json, node, mistakes);
  if (!text) return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& [name, value] : names) {
    if (name == *text) return value;
    known.push_back(name);
  }
  mistakes.add(json, node, fmt::format("unknown {} '{}'", what, *text), did_you_mean_or_known(*text, known));
  return std::nullopt;
}

void read_provenance(const JsonValue& field, Provenance& provenance) {
  const std::string_view key = field.key();
  if (key == "module" && field.is(Type::String)) provenance.module = field.text();
  if (key == "checkpoint_name" && field.is(Type::String)) provenance.checkpoint_name = field.text();
  if (key != "source" || !field.is(Type::Object)) return;
  for (const JsonValue part : field) {
    if (part.key() == "file" && part.is(Type::String)) provenance.source_file = part.text();
    if (part.key() == "line" && part.is(Type::Integer)) provenance.source_line = part.integer();
    if (part.key() == "function" && part.is(Type::String)) provenance.source_function = part.text();
  }
}

// Milliseconds, zero or more.
std::optional<double> read_runtime(const JsonValue& json, std::string_view node, Mistakes& mistakes) {
  const auto runtime_ms = read_real(json, node, mistakes);
  if (!runtime_ms || *runtime_ms >= 0) return runtime_ms;
  mistakes.add(json, node, fmt::format("a run time of {} ms; expected 0 or more", *runtime_ms), "");
  return std::nullopt;
}

// A part of an execution context: its JSON text, so that equal values have equal texts. To Python 1, 1.0 and true are
// equal.
std::string json_text(const JsonValue& json) {
  if (json.is(Type::Bool)) return json.boolean() ? "1" : "0";
  if (json.is(Type::Integer) || json.is(Type::Real)) return fmt::format("{}", json.real());
  std::string text;
  json.document().append(json.ticket(), text);
  return text;
}

void read_custom(const JsonValue& json, Node& node, Mistakes& mistakes) {
  ExecutionContext context;
  if (json.is(Type::Object)) {
    for (const JsonValue field : json) {
      if (field.key() == "_region_activation_memory_budget" && !field.is(Type::Null)) {
        node.meta.region_budget = read_real(field, node.name, mistakes);
      }
      if (field.key() == "stream") context.stream = json_text(field);
      if (field.key() == "mempool" && !field.is(Type::Null)) context.memory_pool = json_text(field);
      if (field.key() == "mempool_device" && !field.is(Type::Null)) context.memory_pool_device = json_text(field);
    }
  }
  if (context != ExecutionContext()) node.context = std::make_shared<const ExecutionContext>(std::move(context));
}

}  // namespace

void read_meta(const JsonValue& json, Node& node, Mistakes& mistakes) {
  if (!expect(json, Type::Object, node.name, mistakes)) return;
  auto provenance = std::make_shared<Provenance>();
  for (const JsonValue field : json) {
    const std::string_view key = field.key();
    if (field.is(Type::Null)) continue;
    if (key == "recompute") {
      node.meta.recompute = read_name(field, kCheckpointPolicies, "checkpoint policy", node.name, mistakes);
    } else if (key == "partitioner_tag") {
      node.meta.tag =
          read_name(field, kTags, "partitioner tag", node.name, mistakes).value_or(PartitionerTag::None);
    } else if (key == "ac_graph_id") {
      node.meta.ac_graph_id = read_integer(field, node.name, mistakes);
    } else if (key == "has_backward_hook") {
      node.meta.has_backward_hook = read_boolean(field, node.name, mistakes).value_or(false);
    } else if (key == "saved_tensor_with_no_vc_check") {
      node.meta.saved_without_version_check = read_boolean(field, node.name, mistakes).value_or(false);
    } else if (key == "memory_budget") {
      // PyTorch heeds a Python float only: 1.0, not 1.
      if (field.is(Type::Real)) node.meta.memory_budget = field.real();
    } else if (key == "should_offload") {
      node.meta.should_offload = read_boolean(field, node.name, mistakes).value_or(false);
    } else if (key == "aot_runtime_epilogue_input_mutation") {
      node.meta.replayed_mutation = read_boolean(field, node.name, mistakes).value_or(false);
    } else if (key == "runtime_ms") {
      node.meta.runtime_ms = read_runtime(field, node.name, mistakes);
    } else if (key == "custom") {
      read_custom(field, node, mistakes);
    } else {
      read_provenance(field, *provenance);
    }
  }
  node.provenance = std::move(provenance);
}

}  // namespace fxcut
