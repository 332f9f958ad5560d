// Settings from a configuration file.
#pragma once

#include "json/fields.h"
#include "policy/setting_rows.h"

namespace fxcut {

// Applies a JSON object of settings by name. Throws Failure (Usage) that lists what set_setting does not take, each with its
// place; Failure (BadInput) where it is no object.
void read_settings(const JsonValue& json, Settings& settings);

// The same of what is known to be an object; adds the mistakes to the list.
void read_settings(const JsonValue& object, Settings& settings, Mistakes& mistakes);

// A value as a setting takes it; what no setting takes comes as the name of its kind.
SettingValue setting_value(const JsonValue& json);

}  // namespace fxcut
