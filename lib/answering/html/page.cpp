#include "html/page.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "graph/value.h"
#include "html/template.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

// A position, or -1.
std::int64_t number(const std::optional<std::size_t>& position) {
  return position ? static_cast<std::int64_t>(*position) : -1;
}

Json lines_json(const std::vector<TotalLine>& lines) {
  return json_list(lines, [](const TotalLine& line) {
    return Json{{"label", line.label}, {"figure", line.figure}, {"meaning", line.meaning}, {"part", line.is_part},
                {"detail", line.is_detail}};
  });
}

Json totals_json(const Totals& totals) {
  return {{"saved_bytes", totals.saved_bytes},
          {"saved_bytes_static", totals.saved_bytes_static},
          {"held_bytes", totals.held_bytes()},
          {"saved_values", totals.saved_values},
          {"recomputed_by_operator", totals.recomputed_by_operator}};
}

// Each number as its difference from the one before it, which is shorter where they hardly change.
template <typename Rows, typename Number>
Json differences(const Rows& rows, const Number& number_of) {
  std::int64_t before = 0;
  return json_list(rows, [&](const auto& row) {
    const auto number = static_cast<std::int64_t>(number_of(row));
    return number - std::exchange(before, number);
  });
}

Json nodes_json(const std::vector<PageNode>& nodes) {
  return {{"name", differences(nodes, [](const PageNode& node) { return node.name; })},
          {"operator", json_list(nodes, [](const PageNode& node) { return node.op; })},
          {"module", json_list(nodes, [](const PageNode& node) { return node.module; })},
          {"state", json_list(nodes, [](const PageNode& node) { return static_cast<int>(node.state); })},
          {"inputs", json_list(nodes, [](const PageNode& node) { return node.inputs; })}};
}

Json page_curve_json(const PageCurve& curve) {
  using Row = const PageAllocation&;
  const std::vector<PageAllocation>& all = curve.allocations;
  return {{"name", curve.name},
          {"peak_bytes", json_number(curve.peak_bytes)},
          {"peak_step", curve.peak_step},
          {"forward_steps", curve.forward_steps},
          {"phases",
           {{"name", json_list(curve.phases, [](const PagePhase& phase) { return phase.name; })},
            {"first_step", json_list(curve.phases, [](const PagePhase& phase) { return phase.first_step; })}}},
          {"steps", differences(curve.steps, [](std::size_t node) { return node; })},
          {"allocations",
           {{"node", differences(all, [](Row row) { return row.node; })},
            {"bytes", json_list(all, [](Row row) { return row.size_bytes; })},
            {"kind", json_list(all, [](Row row) { return static_cast<int>(row.kind); })},
            {"first", differences(all, [](Row row) { return row.first_step; })},
            {"last", json_list(all, [](Row row) { return number(row.last_step); })}}}};
}

// In which the value crosses; empty of one that crosses as it is.
CompressedForm form_of(const PageSaved& saved) { return saved.row.value.compressed.value_or(CompressedForm{}); }

Json saved_json(const std::vector<PageSaved>& saved) {
  using Row = const PageSaved&;
  Json json = {{"kind", json_list(saved, [](Row s) { return name_of(s.row.kind); })},
               {"name", json_list(saved, [](Row s) { return s.row.value.name; })},
               {"operator", json_list(saved, [](Row s) { return s.op; })},
               {"module", json_list(saved, [](Row s) { return s.module; })},
               {"dtype", json_list(saved, [](Row s) { return s.dtype; })},
               {"shape", json_list(saved, [](Row s) {
                  return s.row.value.dtype.empty() ? "" : show_shape(s.row.value.shape);
                })},
               {"bytes", json_list(saved, [](Row s) { return s.row.value.size_bytes; })},
               {"kept", json_list(saved, [](Row s) { return s.row.value.kept_bytes; })},
               {"static", json_list(saved, [](Row s) { return s.row.value.static_lifetime ? 1 : 0; })},
               {"host", json_list(saved, [](Row s) { return s.row.value.host_name; })},
               {"compressed", json_list(saved, [](Row s) { return form_of(s).name; })},
               {"form", json_list(saved, [](Row s) { return s.form; })},
               {"form_bytes", json_list(saved, [](Row s) { return form_of(s).crossing_bytes(); })},
               {"source", json_list(saved, [](Row s) { return s.source; })},
               {"reason", json_list(saved, [](Row s) { return s.reason; })},
               {"why", json_list(saved, [](Row s) { return s.why; })},
               {"output", json_list(saved, [](Row s) { return s.row.value.forward_output; })},
               {"input", json_list(saved, [](Row s) { return s.row.value.backward_input; })},
               {"forward_node", json_list(saved, [](Row s) { return number(s.forward_node); })},
               {"backward_node", json_list(saved, [](Row s) { return number(s.backward_node); })}};
  return json;
}

Json module_json(const ModuleBytes& module) {
  Json json = {{"name", module.name}, {"path", module.path}, {"bytes", module.bytes}, {"values", module.values}};
  if (module.own_bytes > 0) json["own"] = module.own_bytes;
  if (module.repeats > 1) json["repeats"] = module.repeats;
  if (!module.children.empty()) json["children"] = json_list(module.children, module_json);
  if (!module.members.empty()) json["members"] = json_list(module.members, module_json);
  return json;
}

Json decision_json(const PageDecision& decision) {
  return {{"peak", decision.peak},
          {"held", decision.held},
          {"more_time", decision.more_time},
          {"command", decision.command},
          {"headline", decision.headline},
          {"lines", lines_json(decision.lines)},
          {"totals", totals_json(decision.totals)},
          {"static_bytes", decision.static_bytes},
          {"input_bytes", decision.input_bytes},
          {"nodes", nodes_json(decision.nodes)},
          {"forward_nodes", decision.forward_nodes},
          {"curves", json_list(decision.curves, page_curve_json)},
          {"saved", saved_json(decision.saved)},
          {"modules", module_json(decision.modules_held)}};
}

Json texts_json(const PageTexts& texts) {
  return {{"names", texts.names.texts()},     {"operators", texts.operators.texts()}, {"modules", texts.modules.texts()},
          {"dtypes", texts.dtypes.texts()},   {"sources", texts.sources.texts()},     {"reasons", texts.reasons.texts()},
          {"whys", texts.whys.texts()}};
}

}  // namespace

std::string page_json(const PageData& data) {
  Json json = {{"title", data.title},
               {"advice", json_list(data.advice, [](const Advice& advice) {
                  return Json{{"effect", advice.effect}, {"command", advice.command}};
                })},
               {"texts", texts_json(data.texts)},
               {"decisions", json_list(data.decisions, decision_json)}};
  return data_text(std::move(json));
}

std::string html_page(const PageData& data) {
  return filled_in(page_template(), data.title, page_json(data));
}

}  // namespace fxcut
