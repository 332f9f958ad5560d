// Settings from a configuration file, and a device profile from its JSON form.
#pragma once

#include "cost/device_profile.h"
#include "json/document.h"
#include "json/fields.h"
#include "policy/setting_rows.h"

namespace fxcut {

// Applies a JSON object of settings by name. Throws Failure (Usage) that lists the errors of set_setting, each with its
// place; Failure (BadInput) if it is not an object.
void read_settings(const JsonValue& json, Settings& settings);

// The same for a JSON object; adds the mistakes to the list.
void read_settings(const JsonValue& object, Settings& settings, Mistakes& mistakes);

// The profile (schemas/device_profile.schema.json, version 1). Throws Failure (BadInput) that lists the mistakes, each with its
// place: another version, unknown members (with the nearest), rates that are missing, not numbers, not above 0, or below
// kMinRate, and times that are not numbers, or above 10^15 of their unit.
DeviceProfile read_device_profile(const Document& document);

// The same for a part of a document; adds the mistakes to the list.
DeviceProfile read_device_profile(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
