#include "html/page_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "report/json_number.h"
#include "report/quantities.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

template <typename Rows, typename Show>
Json column(const Rows& rows, const Show& show) {
  Json json = Json::array();
  for (const auto& row : rows) json.push_back(show(row));
  return json;
}

// A position, or -1.
std::int64_t number(const std::optional<std::size_t>& position) {
  return position ? static_cast<std::int64_t>(*position) : -1;
}

Json lines_json(const std::vector<TotalLine>& lines) {
  return column(lines, [](const TotalLine& line) {
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
  return {{"name", column(nodes, [](const PageNode& node) { return node.name; })},
          {"operator", column(nodes, [](const PageNode& node) { return node.op; })},
          {"module", column(nodes, [](const PageNode& node) { return node.module; })},
          {"fate", column(nodes, [](const PageNode& node) { return static_cast<int>(node.fate); })},
          {"inputs", column(nodes, [](const PageNode& node) { return node.inputs; })}};
}

Json memory_json(const PageData& data) {
  return {{"peak_bytes", json_number(data.memory.peak_bytes)},
          {"between_bytes", json_number(data.memory.between_bytes)},
          {"peak_step", data.peak_step},
          {"forward_steps", data.forward_steps},
          {"steps", data.steps},
          {"bytes", column(data.step_bytes, json_number)},
          {"held",
           {{"node", column(data.at_peak, [](const PageHeld& held) { return held.node; })},
            {"bytes", column(data.at_peak, [](const PageHeld& held) { return held.size_bytes; })},
            {"last", column(data.at_peak, [](const PageHeld& held) { return number(held.last_node); })}}}};
}

Json saved_json(const std::vector<PageSaved>& saved) {
  using Row = const PageSaved&;
  Json json = {{"kind", column(saved, [](Row s) { return kind_word(s.row.kind); })},
               {"name", column(saved, [](Row s) { return s.row.value.name; })},
               {"operator", column(saved, [](Row s) { return s.op; })},
               {"module", column(saved, [](Row s) { return s.module; })},
               {"dtype", column(saved, [](Row s) { return s.dtype; })},
               {"shape", column(saved, [](Row s) {
                  return s.row.value.dtype.empty() ? "" : show_shape(s.row.value.shape);
                })},
               {"bytes", column(saved, [](Row s) { return s.row.value.size_bytes; })},
               {"kept", column(saved, [](Row s) { return s.row.value.kept_bytes; })},
               {"static", column(saved, [](Row s) { return s.row.value.static_lifetime ? 1 : 0; })},
               {"host", column(saved, [](Row s) { return s.row.value.host_name; })},
               {"source", column(saved, [](Row s) { return s.source; })},
               {"reason", column(saved, [](Row s) { return s.reason; })},
               {"why", column(saved, [](Row s) { return s.why; })},
               {"output", column(saved, [](Row s) { return s.row.value.forward_output; })},
               {"input", column(saved, [](Row s) { return s.row.value.backward_input; })},
               {"forward_node", column(saved, [](Row s) { return number(s.forward_node); })},
               {"backward_node", column(saved, [](Row s) { return number(s.backward_node); })}};
  return json;
}

Json module_json(const ModuleBytes& module) {
  Json json = {{"name", module.name}, {"path", module.path}, {"bytes", module.bytes}, {"values", module.values}};
  if (module.own_bytes > 0) json["own"] = module.own_bytes;
  if (module.repeats > 1) json["repeats"] = module.repeats;
  if (!module.children.empty()) json["children"] = column(module.children, module_json);
  if (!module.members.empty()) json["members"] = column(module.members, module_json);
  return json;
}

// In JSON "<" stands in texts only, where it may be written as an escape.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string page_json(const PageData& data) {
  const Json json = {{"title", data.title},
                     {"headline", data.headline},
                     {"lines", lines_json(data.lines)},
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
                     {"modules", module_json(data.modules_kept)}};
  return without_tags(json.dump());
}

}  // namespace fxcut
