// The settings as the outside names them: in files, on command lines and in reports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "settings/settings.h"

namespace fxcut {

using SettingValue = std::variant<bool, std::int64_t, double, std::string>;

// One setting as the outside sees it.
struct SettingRow {
  std::string_view name;
  std::string expects;       // "true or false", "a number from 0 to 1", ...
  std::string_view meaning;  // one line for the help text
  SettingValue (*get)(const Settings&);
  // Stores the value; returns false where it is of the wrong kind or not one of those expected.
  bool (*set)(Settings&, const SettingValue&);
  std::vector<std::string_view> known = {};  // the words that it takes, where it takes no others
};

// All settings, in the order in which they are listed and reported.
const std::vector<SettingRow>& setting_rows();

// Whether a setting has that name.
bool is_setting(std::string_view name);

// Sets one setting. Throws Failure (Usage) naming `place` (where the setting was given; may be empty): unknown name,
// with the nearest known one; a value of the wrong kind.
void set_setting(Settings& settings, std::string_view name, const SettingValue& value, const std::string& place);

// Throws Failure (Usage) where limits of memory are set that cannot be together, or for another solver than frontier.
void refuse_contradicting_limits(const Settings& settings);

// What KEY=VALUE on a command line means: true, false, an integer, a real number, or else a string.
SettingValue parse_setting_value(std::string_view text);

}  // namespace fxcut
