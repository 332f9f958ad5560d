#include <nlohmann/json.hpp>

#include "compare/show_difference.h"
#include "json/json_forms.h"
#include "report/report.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDiffVersion = 1;

std::string_view name_of(ValueState state) {
  constexpr std::string_view words[] = {"saved", "offloaded", "recomputed", "computed"};
  return words[static_cast<std::size_t>(state)];
}

Json value_json(const ComparedValue& value) {
  Json json = {{"name", value.name}, {"decision", name_of(value.state)}, {"bytes", value.size_bytes}};
  if (!value.extent.empty()) json["extent"] = value.extent;
  if (!value.form.empty()) json["form"] = value.form;
  return json;
}

Json change_json(const ValueChange& change) {
  const ComparedValue& value = change.value();
  Json json = {{"change", name_of(change.kind)}, {"operator", value.op}};
  if (const std::string place = show_place(value.provenance); !place.empty()) json["where"] = place;
  if (!value.provenance.checkpoint_name.empty()) json["checkpoint_name"] = value.provenance.checkpoint_name;
  json["static_lifetime"] = value.static_lifetime;
  json["bytes"] = json_number(change.bytes);
  json["flops"] = json_number(change.flops);
  if (change.before) json["before"] = value_json(*change.before);
  if (change.after) json["after"] = value_json(*change.after);
  return json;
}

}  // namespace

Json figure_json(const FigureChange& figure) {
  return {{"name", figure.name},
          {"unit", figure.unit},
          {"before", json_number(figure.before)},
          {"after", json_number(figure.after)},
          {"change", json_number(figure.change())}};
}

Json changes_json(std::span<const ValueChange> changes) {
  Json json = Json::array();
  for (const ValueChange& change : changes) json.push_back(change_json(change));
  return json;
}

namespace {

Json content_json(const Difference& difference, const Sides& sides) {
  Json json = {{"what", difference.what},
               {"before", {{"file", sides.before}, {"graph", difference.graph_before}}},
               {"after", {{"file", sides.after}, {"graph", difference.graph_after}}},
               {"same", difference.is_same()}};
  json["figures"] = Json::array();
  for (const FigureChange& figure : difference.figures) json["figures"].push_back(figure_json(figure));
  json["settings"] = Json::array();
  for (const SettingChange& setting : difference.settings) {
    json["settings"].push_back({{"name", setting.name}, {"before", setting.before}, {"after", setting.after}});
  }
  json["saved"] = changes_json(difference.saved);
  json["recomputed"] = changes_json(difference.recomputed);
  json["nodes"] = changes_json(difference.nodes);
  return json;
}

Json entry_json(const GraphDifference& graph) {
  Json json = {{"name", graph.name}};
  json.update(content_json(graph.difference, graph.files));
  return json;
}

Json head_json() { return {{"format", "fxcut-diff"}, {"version", kDiffVersion}}; }

}  // namespace

std::string difference_json(const Difference& difference, const Sides& sides) {
  Json json = head_json();
  json.update(content_json(difference, sides));
  return json_file(json);
}

std::string difference_json(const BatchDifference& batch, const Sides& sides) {
  Json json = head_json();
  json["before"] = {{"directory", sides.before}};
  json["after"] = {{"directory", sides.after}};
  json["same"] = batch.is_same();
  json["came"] = batch.added;
  json["went"] = batch.removed;
  json["graphs"] = json_list(batch.graphs, entry_json);
  return json_file(json);
}

}  // namespace fxcut
