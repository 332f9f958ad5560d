// A device profile from its JSON form (schemas/device_profile.schema.json, version 1).
#pragma once

#include "cost/device_profile.h"
#include "json/document.h"
#include "json/fields.h"

namespace fxcut {

// Throws Failure (BadInput) that lists the mistakes, each with its place: another version, unknown members (with the
// nearest), rates that are missing, not numbers, or not above 0.
DeviceProfile read_device_profile(const Document& document);

// The same for a part of a document; adds the mistakes to the list.
DeviceProfile read_device_profile(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
