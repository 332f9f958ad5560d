#include "report/read_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/object_members.h"
#include "policy/setting_rows.h"
#include "read/read_measured_errors.h"
#include "read/read_policy.h"
#include "read/read_settings.h"
#include "report/report_members.h"

namespace fxcut {
namespace {

class ReportReader : public ObjectReader {
 public:
  using ObjectReader::ObjectReader;

  void release(ReleaseChoice& choice) const {
    const std::string version = members_.text("torch_version");
    if (!version.empty() && (version == kAsProducer || !is_known_torch_version(version))) {
      members_.add_mistake("torch_version", fmt::format("unknown release of PyTorch '{}'", version));
    } else if (!version.empty()) {
      choice = choose_release(version, "");
    }
    word("torch_version_from", choice.source, members::up_to<ReleaseChoice::Source::Newest>(), members::kName);
  }

  void settings(Settings& settings) const {
    if (const auto json = members_.object("settings")) read_settings(*json, settings, mistakes_);
    if (const auto device = members_.find("device_profile")) {
      settings.own_device = std::make_shared<const DeviceProfile>(read_device_profile(*device, mistakes_));
    }
    if (const auto errors = members_.find("compress_errors")) {
      settings.compress_errors = std::make_shared<const MeasuredErrors>(read_measured_errors(*errors, mistakes_));
    }
  }

  void policies(PolicyStack& policies) const {
    if (const auto json = members_.find("policies")) policies = read_policies(*json, mistakes_);
  }
};

}  // namespace

Report read_report(const Document& document) {
  Mistakes mistakes;
  Report report;
  if (expect_report(document.root(), mistakes)) expect_version(document.root(), kReportVersion, mistakes);
  if (mistakes.empty()) {
    ReportReader reader(document.root(), mistakes);
    members::kReport(reader, report);
  }
  mistakes.raise();
  return report;
}

bool expect_report(const JsonValue& json, Mistakes& mistakes) {
  if (!expect(json, JsonValue::Type::Object, "", mistakes)) return false;
  const auto format = member(json, "format");
  if (format && format->is(JsonValue::Type::String) && format->text() == kReportFormat) return true;
  mistakes.add(format.value_or(json), fmt::format("expected \"format\": \"{}\"", kReportFormat),
               "'fxcut partition GRAPH.json --json' prints a report");
  return false;
}

GraphFingerprint read_fingerprint(const JsonValue& json, Mistakes& mistakes) {
  GraphFingerprint print;
  ObjectReader reader(json, mistakes);
  members::kFingerprint(reader, print);
  return print;
}

}  // namespace fxcut
