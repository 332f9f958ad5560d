// The option --format: a table of what a command can print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

template <typename Show>
struct OutputFormat {
  std::string_view name;
  Show show;
};

// How the format of that name is shown. Throws Failure (Usage) that names the nearest, or all.
template <typename Formats>
auto format_named(std::string_view name, const Formats& formats) {
  std::vector<std::string_view> known;
  for (const auto& format : formats) {
    if (format.name == name) return format.show;
    known.push_back(format.name);
  }
  throw Failure(ExitStatus::Usage, "unknown format '" + std::string(name) + "'", did_you_mean_or_known(name, known));
}

}  // namespace fxcut
