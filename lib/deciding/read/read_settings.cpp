#include "read/read_settings.h"

#include <fmt/format.h>

#include "json/fields.h"
#include "policy/setting_rows.h"

namespace fxcut {

SettingValue setting_value(const JsonValue& json) {
  switch (json.type()) {
    case JsonValue::Type::Bool: return json.boolean();
    case JsonValue::Type::Integer: return json.integer();
    case JsonValue::Type::Real: return json.real();
    case JsonValue::Type::String: return std::string(json.text());
    default: return std::string(describe(json.type()));  // which no setting takes
  }
}

void read_settings(const Document& document, Settings& settings) { read_settings(document.root(), settings); }

void read_settings(const JsonValue& json, Settings& settings) {
  Mistakes mistakes;
  if (!expect(json, JsonValue::Type::Object, "", mistakes)) mistakes.raise();
  std::vector<Diagnostic> found;
  for (const JsonValue field : json) {
    try {
      set_setting(settings, field.key(), setting_value(field), field.place());
    } catch (const Failure& failure) {
      found.insert(found.end(), failure.diagnostics().begin(), failure.diagnostics().end());
    }
  }
  if (!found.empty()) throw Failure(ExitStatus::Usage, std::move(found));
}

}  // namespace fxcut
