#include "report/show_report.h"

#include <nlohmann/json.hpp>

#include "cost/device_profile.h"
#include "json/object_members.h"
#include "policy/setting_rows.h"
#include "report/device_json.h"
#include "report/policies_json.h"
#include "report/report_members.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const SettingRow& row : setting_rows()) {
    if (row.matters && !row.matters(settings)) continue;
    std::visit([&](const auto& value) { json[std::string(row.name)] = value; }, row.get(settings));
  }
  return json;
}

// As read_measured_errors reads them.
Json errors_json(const MeasuredErrors& errors) {
  Json values = Json::array();
  for (const auto& [name, measured] : errors.by_node) {
    values.push_back({{"name", name}, {"operator", measured.op}, {"error", measured.error ? Json(*measured.error) : Json()}});
  }
  return {{"format", "fxcut-compression-errors"}, {"version", 1}, {"graph", errors.graph}, {"dtype", errors.dtype},
          {"values", std::move(values)}};
}

class ReportWriter : public ObjectWriter {
 public:
  using ObjectWriter::ObjectWriter;

  void release(const ReleaseChoice& choice) {
    json_.member("torch_version", choice.release.version());
    json_.member("torch_version_from", name_of(choice.source));
  }
  void settings(const Settings& settings) {
    json_.member("settings", settings_json(settings));
    if (settings.own_device) json_.member("device_profile", device_json(*settings.own_device));
    if (settings.compress_errors) json_.member("compress_errors", errors_json(*settings.compress_errors));
  }
  void policies(const PolicyStack& policies) {
    if (!policies.empty()) json_.member("policies", policies_json(policies));
  }
};

struct TreeWriter {
  Json tree = Json::object();
  template <typename Value>
  void value(std::string_view key, const Value& value) {
    if constexpr (std::same_as<Value, Int128>) {
      tree[std::string(key)] = json_number(value);
    } else {
      tree[std::string(key)] = value;
    }
  }
};

}  // namespace

nlohmann::ordered_json sums_json(const Totals& totals) {
  TreeWriter writer;
  members::kSums(writer, totals);
  return writer.tree;
}

void write_report_json(const Report& report, const TextSink& sink) {
  JsonText json(sink);
  json.member("format", kReportFormat);
  json.member("version", kReportVersion);
  ReportWriter writer(json);
  members::kReport(writer, report);
  json.finish();
}

std::string report_json(const Report& report) {
  std::string text;
  write_report_json(report, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace fxcut
