#include "report/show_report.h"

#include <nlohmann/json.hpp>

#include "cost/device_profile.h"
#include "json/object_members.h"
#include "policy/setting_rows.h"
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

Json device_json(const DeviceProfile& device) {
  Json json = {{"version", 1},
          {"name", device.name},
          {"source", device.source},
          {"peak_tflops",
           {{"float64", device.tflops_float64},
            {"float32", device.tflops_float32},
            {"float16", device.tflops_float16},
            {"float8", device.tflops_float8}}},
          {"memory_gb_per_second", device.memory_gb_per_second},
          {"efficiency",
           {{"products", device.efficiency.products},
            {"attention", device.efficiency.attention},
            {"memory", device.efficiency.memory}}}};
  if (device.tflops_tf32 > 0) json["peak_tflops"]["tf32"] = device.tflops_tf32;
  if (device.link_gb_per_second > 0) json["link_gb_per_second"] = device.link_gb_per_second;
  if (const ElementTimes& each = device.elements; each.random_ns > 0 || each.store_bool_ns > 0 || each.load_bool_ns > 0) {
    json["elements"] = {{"random_ns", each.random_ns},
                        {"store_bool_ns", each.store_bool_ns},
                        {"load_bool_ns", each.load_bool_ns}};
  }
  if (const auto ns = device.elements.store_mask_ns) json["elements"]["store_mask_ns"] = *ns;
  if (const auto ns = device.elements.load_mask_ns) json["elements"]["load_mask_ns"] = *ns;
  if (const double ns = device.elements.operation_ns; ns > 0) json["elements"]["operation_ns"] = ns;
  if (const double share = device.kernels.exposed_traffic; share > 0) json["kernels"]["exposed_traffic"] = share;
  for (const LinkGroup& group : device.groups) {
    Json& row = json["groups"][group.name];
    row["gb_per_second"] = group.gb_per_second;
    if (group.ranks > 0) row["ranks"] = group.ranks;
    if (group.latency_us > 0) row["latency_us"] = group.latency_us;
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
