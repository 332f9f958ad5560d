#include "explain/explain.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "explain/step_kernels.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kExplanationVersion = 1;

Json head_json(const ExplainedGraph& graph) {
  return {{"format", "fxcut-explanation"},
          {"version", kExplanationVersion},
          {"graph", graph.name},
          {"torch_version", graph.torch.release.version()},
          {"decided_by", graph.by_frontier ? "frontier" : name_of(graph.decided_by)},
          {"memory_budget", graph.memory_budget}};
}

Json node_json(const DescribedNode& node) {
  Json json = {{"name", node.name}, {"operator", node.op}};
  if (!node.dtype.empty()) {
    json["dtype"] = node.dtype;
    json["shape"] = shape_json(node.shape);
  }
  json["bytes"] = node.size_bytes;
  json["static_lifetime"] = node.static_lifetime;
  add_provenance(node.provenance, json);
  return json;
}

Json path_json(const NodePath& path) {
  Json json = {{"nodes", json_list(path.nodes, node_json)}};
  if (!path.from.empty()) json["from"] = path.from;
  if (!path.to.empty()) json["to"] = path.to;
  return json;
}

Json weight_json(const Weight& weight) {
  return {{"cost", json_number(weight.cost)},
          {"bytes", weight.size_bytes},
          {"distance", weight.distance},
          {"doubled", weight.doubled}};
}

Json limit_json(const WeightLimit& limit, const Weight& weight) {
  using enum WeightLimit::Kind;
  if (limit.kind == Always) return {{"saved", "always"}};
  if (limit.kind == Never) return {{"saved", "never"}};
  return {{"saved", "up_to"},
          {"weight", json_number(limit.saved_up_to)},
          {"change", json_number(limit.saved_up_to - weight.cost)}};
}

Json weighed_json(const WeighedValue& value) { return {{"name", value.name}, {"cost", json_number(value.cost)}}; }

Json changed_json(const ChangedValue& value) {
  Json json = {{"name", value.name}, {"bytes", value.size_bytes}};
  if (!value.place.empty()) json["place"] = value.place;
  return json;
}

Json alternative_json(const Alternative& alternative) {
  Json json = {{"tag", name_of(alternative.tag)}};
  if (!alternative.refused.empty()) {
    json["refused"] = alternative.refused;
    return json;
  }
  json["saved_bytes_change"] = alternative.saved_bytes_change;
  json["saved_bytes_not_static_change"] = alternative.saved_bytes_not_static_change;
  json["recomputed_flops_change"] = json_number(alternative.recomputed_flops_change);
  json["recomputed_ms_change"] = alternative.recomputed_ms_change;
  json["step_ms_change"] = alternative.step_ms_change;
  json["step_ms"] = alternative.step_ms;
  json["peak_bytes_change"] = json_number(alternative.peak_bytes_change);
  json["saves"] = json_list(alternative.saves, changed_json);
  json["saves_no_more"] = json_list(alternative.no_longer_saved, changed_json);
  json["recomputes"] = json_list(alternative.recomputes, changed_json);
  json["recomputes_no_more"] = json_list(alternative.no_longer_recomputed, changed_json);
  return json;
}

Json trade_json(const StorageTrade& trade) {
  Json json = {{"kept", trade.is_saved}, {"bytes", trade.size_bytes}, {"possible", trade.is_possible}};
  if (trade.is_possible) {
    json["bytes_change"] = trade.bytes_change;
    json["flops_change"] = json_number(trade.flops_change);
    json["cost_change"] = json_number(trade.cost_change);
  }
  json["price_per_byte"] = trade.price_per_byte;
  return json;
}

Json form_json(const ExplainedForm& form) {
  const CompressedForm& crosses_as = form.crosses_as;
  Json json = {{"name", crosses_as.name}, {"how", name_of(crosses_as.how)}, {"dtype", crosses_as.dtype},
               {"bytes", crosses_as.crossing_bytes()}, {"why", form.why}};
  if (form.trade) {
    json["cost"] = json_number(form.trade->cost);
    json["bytes_change"] = form.trade->bytes_change;
    json["cost_change"] = json_number(form.trade->cost_change);
  }
  return json;
}

Json explained_json(const NodeExplanation& explanation) {
  Json json = node_json(explanation.node);
  json["fate"] = name_of(explanation.outcome);
  if (!explanation.same_as.empty()) json["same_as"] = explanation.same_as;
  json["offloaded"] = explanation.offloaded;
  json["why"] = {{"reason", explanation.why.reason}, {"text", explanation.why.text}};
  if (explanation.form) json["compressed"] = form_json(*explanation.form);
  if (explanation.path) json["way"] = path_json(*explanation.path);
  if (explanation.weight) json["weight"] = weight_json(*explanation.weight);
  if (explanation.limit) json["limit"] = limit_json(*explanation.limit, *explanation.weight);
  if (explanation.alternative_cut) {
    json["other_cut"] = {{"saves", json_list(explanation.alternative_cut->saves, weighed_json)},
                         {"saves_no_more", json_list(explanation.alternative_cut->no_longer_saved, weighed_json)}};
  }
  if (explanation.knapsack) {
    json["knapsack"] = {{"kept", explanation.knapsack->is_saved},
                        {"bytes", explanation.knapsack->size_bytes},
                        {"memory_share", explanation.knapsack->memory_share},
                        {"runtime", explanation.knapsack->runtime}};
  }
  if (explanation.trade) json["trade"] = trade_json(*explanation.trade);
  json["forced"] = json_list(explanation.alternatives, alternative_json);
  json["notes"] = explanation.notes;
  return json;
}

}  // namespace

std::string explanation_json(const Explanations& explained) {
  Json json = head_json(explained.graph);
  json["nodes"] = json_list(explained.nodes, explained_json);
  return json_file(json);
}

std::string candidates_json(const RankedCandidates& ranked) {
  Json json = head_json(ranked.graph);
  json["tried"] = ranked.tried;
  json["top"] = json_list(ranked.candidates, [](const Candidate& candidate) {
    Json row = node_json(candidate.node);
    row["fate"] = name_of(candidate.outcome);
    row["forced"] = alternative_json(candidate.alternative);
    row["freed_bytes"] = candidate.freed_bytes();
    if (std::isfinite(candidate.freed_per_ms())) row["freed_per_ms"] = candidate.freed_per_ms();
    row["alike"] = candidate.alike;
    return row;
  });
  return json_file(json);
}

std::string kernels_json(const StepKernels& step) {
  Json json = head_json(step.graph);
  json["device"] = step.device;
  json["step_ms"] = step.step_ms;
  json["kernel_count"] = step.kernels;
  json["kernels"] = json_list(step.rows, [](const KernelRow& row) {
    Json kernel = {{"side", row.is_backward ? "backward" : "forward"},
                   {"generated", row.is_generated},
                   {"operators", row.operators},
                   {"first_node", row.first_node}};
    if (!row.dtype.empty()) {
      kernel["dtype"] = row.dtype;
      kernel["shape"] = shape_json(row.shape);
    }
    if (!row.is_generated) kernel["operand_shapes"] = json_list(row.operands, shape_json);
    kernel["calls"] = row.calls;
    kernel["ms"] = row.ms;
    return kernel;
  });
  return json_file(json);
}

}  // namespace fxcut
