// The settings by name: in files, on command lines and in reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "settings/settings.h"

namespace fxcut {

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

// One setting by name.
struct SettingRow {
  std::string_view name;
  std::string expects;       // "true or false", "a number from 0 to 1", ...
  std::string_view meaning;  // one line for the help text
  SettingValue (*get)(const Settings&);
  // Stores the value; returns false if it has the wrong type or is not allowed.
  bool (*set)(Settings&, const SettingValue&);
  std::vector<std::string_view> known = {};  // the allowed words, if only these are allowed
  // Whether it matters; reports leave others out. Null: always.
  bool (*matters)(const Settings&) = nullptr;
};

// All settings, in the order in which they are listed and reported.
const std::vector<SettingRow>& setting_rows();

// The setting of that name, or null.
const SettingRow* find_setting(std::string_view name);

// Sets one setting. Throws Failure (Usage) at `place` (where the setting was given; may be empty): an unknown name,
// with the nearest known one; a value of the wrong kind.
void set_setting(Settings& settings, std::string_view name, const SettingValue& value, const std::string& place);

// The meaning of VALUE in KEY=VALUE: true, false, an integer, a real number, or else a string; a version is a string.
SettingValue parse_setting_value(std::string_view name, std::string_view text);

}  // namespace fxcut
