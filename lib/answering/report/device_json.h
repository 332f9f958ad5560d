// A device profile as JSON (schemas/device_profile.schema.json).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cost/device_profile.h"

namespace fxcut {

// As read_device_profile (read/read_settings.h) reads it: that returns an equal one. Figures that have their default are left
// out, but for those that earlier versions wrote.
nlohmann::ordered_json device_json(const DeviceProfile& device);

}  // namespace fxcut
