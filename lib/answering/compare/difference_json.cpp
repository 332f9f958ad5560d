#include <nlohmann/json.hpp>

#include "compare/changes_json.h"
#include "compare/show_difference.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDiffVersion = 1;

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

// What the output begins with.
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
  json["came"] = batch.came;
  json["went"] = batch.went;
  json["graphs"] = json_list(batch.graphs, entry_json);
  return json_file(json);
}

}  // namespace fxcut
