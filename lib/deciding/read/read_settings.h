// Settings from a configuration file.
#pragma once

#include "json/fields.h"
#include "policy/setting_rows.h"

namespace fxcut {

// Applies a JSON object of settings by name. Throws Failure (Usage) that lists the errors of set_setting, each with its
// place; Failure (BadInput) if it is not an object.
void read_settings(const JsonValue& json, Settings& settings);

// The same for a JSON object; adds the mistakes to the list.
void read_settings(const JsonValue& object, Settings& settings, Mistakes& mistakes);

// The value for set_setting; for arrays, objects and null the name of the JSON type, which no setting accepts.
SettingValue setting_value(const JsonValue& json);

}  // namespace fxcut
