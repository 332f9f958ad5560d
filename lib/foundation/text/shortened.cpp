#include "text/shortened.h"

#include <vector>

#include "text/characters.h"

namespace fxcut {

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view kBetween = "...";
  if (text.size() <= most) return std::string(text);  // there are no more characters than bytes
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size(); at += first_character(text.substr(at)).bytes) begins.push_back(at);
  if (begins.size() <= most) return std::string(text);
  // The end distinguishes similar names, but the beginning is more informative.
  const std::size_t at_end = (most - kBetween.size()) / 3, at_begin = most - kBetween.size() - at_end;
  begins.push_back(text.size());
  return std::string(text.substr(0, begins[at_begin])).append(kBetween).append(text.substr(begins[begins.size() - 1 - at_end]));
}

}  // namespace fxcut
