#include "cli/settings_options.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "cli/input_file.h"
#include "diagnostic/diagnostic.h"
#include "policy/setting_rows.h"
#include "read/read_device_profile.h"
#include "read/read_settings.h"

namespace fxcut {
namespace po = boost::program_options;

void SettingsOptions::add_to(po::options_description& options) {
  options.add_options()
      ("config", po::value(&config)->value_name("FILE"), "settings as a JSON object")
      ("set", po::value(&assignments)->value_name("KEY=VALUE")->composing(),
       "one setting, after those of --config; 'fxcut help settings' lists them")
      ("device-profile", po::value(&device_profile)->value_name("FILE"),
       "the device whose run times are estimated, where it is none of those that the setting device_profile names");
}

Settings SettingsOptions::resolve() const {
  Settings settings;
  if (!config.empty()) read_settings(Document::parse(read_text(config), shown_name(config))->root(), settings);
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) {
      throw Failure(ExitStatus::Usage, fmt::format("--set '{}': expected KEY=VALUE", assignment),
                    "such as --set recompute_views=true");
    }
    const std::string_view text = assignment;
    set_setting(settings, text.substr(0, equals), parse_setting_value(text.substr(equals + 1)), "--set " + assignment);
  }
  if (!device_profile.empty()) {
    const auto document = Document::parse(read_text(device_profile), shown_name(device_profile));
    settings.own_device = std::make_shared<const DeviceProfile>(read_device_profile(*document));
  }
  return settings;
}

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : path; }

}  // namespace fxcut
