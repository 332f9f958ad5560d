// Numbers for the symbols of symbolic sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fxcut {

// By symbol, the number to take for it.
using SymbolHints = std::map<std::string, std::int64_t, std::less<>>;

// "s0=1024, s1=8", by name.
inline std::string show_hints(const SymbolHints& hints) {
  std::string text;
  for (const auto& [symbol, number] : hints) text += (text.empty() ? "" : ", ") + symbol + "=" + std::to_string(number);
  return text;
}

}  // namespace fxcut
