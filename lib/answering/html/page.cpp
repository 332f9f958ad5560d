#include "html/page.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "graph/value.h"
#include "json/json_forms.h"
#include "text/escaping.h"
#include "text/printable.h"

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
  return {{"peak_bytes", json_number(data.memory.peak_bytes)},
          {"between_bytes", json_number(data.memory.between_bytes)},
          {"peak_step", data.peak_step},
          {"forward_steps", data.forward_steps},
          {"steps", data.steps},
          {"bytes", json_list(data.step_bytes, json_number)},
          {"held",
           {{"node", json_list(data.at_peak, [](const PageHeld& held) { return held.node; })},
            {"bytes", json_list(data.at_peak, [](const PageHeld& held) { return held.size_bytes; })},
            {"last", json_list(data.at_peak, [](const PageHeld& held) { return number(held.last_node); })},
            {"fold", json_list(data.at_peak, [](const PageHeld& held) { return held.fold; })},
            {"modules", data.held_modules}}}};
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

void make_printable(Json& json) {
  if (json.is_string()) json = printable(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (Json& item : json) make_printable(item);
}

// In JSON "<" occurs in texts only, where it can be escaped.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

}  // namespace

std::string page_json(const PageData& data) {
  Json json = {{"title", data.title},
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
               {"modules", module_json(data.modules_held)}};
  make_printable(json);
  return without_tags(json.dump());
}

std::string html_page(const PageData& data) {
  const std::string_view page = page_template();
  const std::size_t title = page.find(kTitleMark), json = page.find(kDataMark);
  std::string text(page.substr(0, title));
  text += xml_text(data.title);
  text += page.substr(title + kTitleMark.size(), json - title - kTitleMark.size());
  text += page_json(data);
  text += page.substr(json + kDataMark.size());
  return text;
}

}  // namespace fxcut
