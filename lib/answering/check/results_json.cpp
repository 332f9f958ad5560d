#include <nlohmann/json.hpp>

#include "check/show_results.h"
#include "compare/show_difference.h"
#include "json/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCheckVersion = 1;

Json result_json(const CheckResult& result) {
  Json json = {{"demand", result.check}, {"holds", result.passed}, {"text", result.text}};
  if (result.value) {
    json["figure"] = result.figure;
    json["unit"] = result.unit;
    json["value"] = json_number(*result.value);
    json["limit"] = json_number(*result.most);
  }
  if (result.before) json["baseline"] = json_number(*result.before);
  if (!result.passed) json["responsible"] = changes_json(first_responsible(result));
  return json;
}

Json checks_json(const CheckResults& results) { return json_list(results, result_json); }

Json graph_json(const CheckedGraph& graph) {
  return {{"graph", graph.name},
          {"report", graph.file},
          {"new", graph.is_new},
          {"holds", all_passed(graph.results)},
          {"demands", checks_json(graph.results)}};
}

Json total_json(const BatchTotal& total) {
  Json json = {{"figure", total.measure->figure},
               {"unit", name_of(total.measure->unit)},
               {"over_graphs", total.measure->adds_up ? "sum" : "highest"},
               {"value", json_number(*total.value)}};
  if (total.before) json["baseline"] = json_number(*total.before);
  return json;
}

Json head_json(const std::string& report, const std::string& baseline, bool passed) {
  Json json = {{"format", "fxcut-check"}, {"version", kCheckVersion}, {"report", report}};
  if (!baseline.empty()) json["baseline"] = baseline;
  json["holds"] = passed;
  return json;
}

}  // namespace

std::string results_json(const CheckResults& results, const CheckedFiles& files) {
  Json json = head_json(files.report, files.baseline, all_passed(results));
  json["demands"] = checks_json(results);
  return json_file(json);
}

std::string batch_json(const CheckedBatch& batch) {
  Json json = head_json(batch.reports, batch.baseline, all_passed(batch));
  json["graphs"] = json_list(batch.graphs, graph_json);
  json["gone"] = batch.removed;
  json["totals"] = json_list(batch.totals, total_json);
  return json_file(json);
}

}  // namespace fxcut
