// Settings from a configuration file.
#pragma once

#include "json/document.h"
#include "policy/setting_rows.h"

namespace fxcut {

// Applies a JSON object of settings by name. Throws Failure (Usage) for what set_setting does not take, naming its
// place; Failure (BadInput) where the document is no object.
void read_settings(const Document& document, Settings& settings);

// The same of a part of a document.
void read_settings(const JsonValue& json, Settings& settings);

// A value as a setting takes it; what no setting takes comes as the name of its kind.
SettingValue setting_value(const JsonValue& json);

}  // namespace fxcut
