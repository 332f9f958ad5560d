// Pieces of JSON.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace fxcut::notation {

inline std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

inline std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, ",")); }

}  // namespace fxcut::notation
