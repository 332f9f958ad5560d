#include "read/read_settings.h"

#include <fmt/format.h>

#include "policy/setting_rows.h"

namespace fxcut {

SettingValue setting_value(const JsonValue& json) {
  switch (json.type()) {
    case JsonValue::Type::Bool: return json.boolean();
    case JsonValue::Type::Integer: return json.integer();
    case JsonValue::Type::Real: return json.real();
    case JsonValue::Type::String: return std::string(json.text());
    default: return std::string(describe(json.type()));  // not a value of any setting
  }
}

void read_settings(const JsonValue& json, Settings& settings, Mistakes& mistakes) {
  for (const JsonValue field : json) {
    try {
      set_setting(settings, field.key(), setting_value(field), "");
    } catch (const Failure& failure) {
      const Diagnostic& wrong = failure.diagnostics().front();
      if (is_setting(field.key())) {
        mistakes.add(field, wrong.message, wrong.hint);
      } else {
        mistakes.add_to_key(field, "", wrong.message, wrong.hint);
      }
    }
  }
}

void read_settings(const JsonValue& json, Settings& settings) {
  Mistakes wrong_kind, mistakes;
  if (!expect(json, JsonValue::Type::Object, "", wrong_kind)) wrong_kind.raise();
  read_settings(json, settings, mistakes);
  mistakes.raise(ExitStatus::Usage);
}

}  // namespace fxcut
