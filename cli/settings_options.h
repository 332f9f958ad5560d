// The options that say which settings hold.
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "settings/settings.h"

namespace fxcut {

struct SettingsOptions {
  std::string config;                    // a file
  std::vector<std::string> assignments;  // KEY=VALUE, which hold over the file's
  std::string device_profile;            // a file

  // --config, --set and --device-profile.
  void add_to(boost::program_options::options_description& options);

  // Reads the files. Throws Failure naming what is wrong and where.
  Settings resolve() const;
};

// What messages call a file.
std::string shown_name(const std::string& path);

}  // namespace fxcut
