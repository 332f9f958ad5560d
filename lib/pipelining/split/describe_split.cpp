#include "split/describe_split.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cost/size.h"
#include "json/json_forms.h"
#include "split/choose_held.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// The bytes of those held values that the first part has computed, or that the forward has saved.
std::int64_t bytes_of(const BackwardSplit& split, bool is_computed) {
  std::int64_t bytes = 0;
  for (const HeldValue& value : split.held) bytes += value.is_computed == is_computed ? value.bytes : 0;
  return bytes;
}

std::string part_line(std::string_view name, const PartFigures& part, std::string_view whose) {
  return fmt::format("{:<8}  {} for {} of {}\n", name, show_count(part.operators, "operator"),
                     show_count(part.gradients, "gradient"), whose);
}

}  // namespace

BackwardSplit describe_split(const JointGraph& joint, const JointGraph& backward, const std::vector<bool>& of_weights,
                             const std::optional<BackwardParts>& parts) {
  BackwardSplit split;
  split.operators = count_calls(backward.graph);
  const std::vector<OutputLeaf> leaves = output_leaves(backward.graph);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto& gradient = leaves[i].node;
    if (gradient && !is_opaque(backward.graph[*gradient])) ++(of_weights[i] ? split.weight : split.input).gradients;
  }
  if (!parts) {
    (split.input.gradients > 0 ? split.input : split.weight).operators = split.operators;
    return split;
  }
  split.input.operators = count_calls(parts->input);
  split.weight.operators = count_calls(parts->weight);
  const std::vector<std::int64_t> bytes =
      kept_bytes(backward.graph, held_storage_bytes(joint.graph, backward.graph), parts->held);
  for (std::size_t i = 0; i < parts->held.size(); ++i) {
    const Node& node = backward.graph[parts->held[i]];
    split.held.push_back({node.name, !node.is_placeholder(), bytes[i]});
  }
  return split;
}

std::string split_text(const BackwardSplit& split) {
  if (split.input.gradients == 0 || split.weight.gradients == 0) {
    return fmt::format("only gradients of {} are computed: the backward as it is\n",
                       split.input.gradients > 0 ? "inputs" : "weights");
  }
  const auto saved = bytes_of(split, false), computed = bytes_of(split, true);
  return fmt::format("backward  {}\n", show_count(split.operators, "operator")) + part_line("  input", split.input, "inputs") +
         part_line("  weight", split.weight, "weights") +
         fmt::format("held      {} in between, in {}\n", show_bytes(saved + computed), show_count(split.held.size(), "value")) +
         fmt::format("  saved   {} by the forward\n  new     {} by the first part\n", show_bytes(saved), show_bytes(computed));
}

std::string split_json(const BackwardSplit& split) {
  const auto part = [](const PartFigures& figures) {
    return nlohmann::ordered_json{{"operators", figures.operators}, {"gradients", figures.gradients}};
  };
  nlohmann::ordered_json json = {{"format", "fxcut-split"},       {"version", 1},
                                 {"operators", split.operators},  {"input", part(split.input)},
                                 {"weight", part(split.weight)},  {"held_bytes", bytes_of(split, false) + bytes_of(split, true)},
                                 {"saved_bytes", bytes_of(split, false)}, {"computed_bytes", bytes_of(split, true)}};
  json["held"] = nlohmann::ordered_json::array();
  for (const HeldValue& value : split.held) {
    json["held"].push_back({{"name", value.name}, {"computed", value.is_computed}, {"bytes", value.bytes}});
  }
  return json_file(json);
}

}  // namespace fxcut
