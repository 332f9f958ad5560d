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
    return Json{{"label", line.label}, {"figure", line.figure}, {"meaning", line.meaning}, {"part", line.is_part}};
  });
}

Json totals_json(const Totals& totals) {
  return {{"saved_bytes", totals.saved_bytes},
          {"saved_bytes_static", totals.saved_bytes_static},
          {"saved_bytes_not_static", totals.saved_bytes_not_static},
          {"saved_values", totals.saved_values},
          {"recomputed_by_operator", totals.recomputed_by_operator}};
}

Json nodes_json(const std::vector<PageNode>& nodes) {
  return {{"name", json_list(nodes, [](const PageNode& node) { return node.name; })},
          {"operator", json_list(nodes, [](const PageNode& node) { return node.op; })},
          {"module", json_list(nodes, [](const PageNode& node) { return node.module; })},
          {"state", json_list(nodes, [](const PageNode& node) { return static_cast<int>(node.state); })},
          {"inputs", json_list(nodes, [](const PageNode& node) { return node.inputs; })}};
}

Json memory_json(const PageData& data) {
  using Row = const PageAllocation&;
  const std::vector<PageAllocation>& all = data.allocations;
  return {{"peak_bytes", json_number(data.memory.peak_bytes)},
          {"between_bytes", json_number(data.memory.between_bytes)},
          {"peak_step", data.peak_step},
          {"forward_steps", data.forward_steps},
          {"phases",
           {{"name", json_list(data.phases, [](const PagePhase& phase) { return phase.name; })},
            {"first_step", json_list(data.phases, [](const PagePhase& phase) { return phase.first_step; })}}},
          {"steps", data.steps},
          {"bytes", json_list(data.step_bytes, json_number)},
          {"static_bytes", data.memory.static_bytes},
          {"input_bytes", data.memory.input_bytes},
          {"allocations",
           {{"node", json_list(all, [](Row row) { return row.node; })},
            {"bytes", json_list(all, [](Row row) { return row.size_bytes; })},
            {"kind", json_list(all, [](Row row) { return static_cast<int>(row.kind); })},
            {"first", json_list(all, [](Row row) { return row.first_step; })},
            {"last", json_list(all, [](Row row) { return number(row.last_step); })}}}};
}

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

}  // namespace

std::string page_json(const PageData& data) {
  Json json = {{"title", data.title},
               {"headline", data.headline},
               {"lines", lines_json(data.lines)},
               {"advice", json_list(data.advice, [](const Advice& advice) {
                  return Json{{"effect", advice.effect}, {"command", advice.command}};
                })},
               {"totals", totals_json(data.totals)},
               {"texts",
                {{"operators", data.operators.texts()},
                 {"modules", data.modules.texts()},
                 {"dtypes", data.dtypes.texts()},
                 {"sources", data.sources.texts()},
                 {"reasons", data.reasons.texts()},
                 {"whys", data.whys.texts()}}},
               {"nodes", nodes_json(data.nodes)},
               {"forward_nodes", data.forward_nodes},
               {"memory", memory_json(data)},
               {"saved", saved_json(data.saved)},
               {"modules", module_json(data.modules_held)}};
  return data_text(std::move(json));
}

std::string html_page(const PageData& data) {
  return filled_in(page_template(), data.title, page_json(data));
}

}  // namespace fxcut
