#include <nlohmann/json.hpp>

#include "check/show_results.h"
#include "compare/changes_json.h"
#include "report/json_forms.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kCheckVersion = 1;

Json result_json(const CheckResult& result) {
  Json json = {{"demand", result.demand}, {"holds", result.holds}, {"text", result.text}};
  if (result.value) {
    json["figure"] = result.figure;
    json["unit"] = result.unit;
    json["value"] = change_number(*result.value);
    json["limit"] = change_number(*result.most);
  }
  if (result.before) json["baseline"] = change_number(*result.before);
  if (!result.holds) json["responsible"] = changes_json(result.responsible);
  return json;
}

}  // namespace

std::string results_json(const CheckResults& results, const CheckedFiles& files) {
  Json json = {{"format", "fxcut-check"}, {"version", kCheckVersion}, {"report", files.report}};
  if (!files.baseline.empty()) json["baseline"] = files.baseline;
  json["holds"] = all_hold(results);
  json["demands"] = Json::array();
  for (const CheckResult& result : results) json["demands"].push_back(result_json(result));
  return json_file(json);
}

}  // namespace fxcut
