#include "solve/search_end.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace fxcut {
namespace {

constexpr std::string_view kEnds[] = {"proof", "exhausted", "gap", "stagnation", "steps", "parts", "time", "interrupt"};

}  // namespace

std::string_view word_for(EndedBy end) { return kEnds[static_cast<std::size_t>(end)]; }

std::optional<EndedBy> end_called(std::string_view word) {
  const auto found = std::find(std::begin(kEnds), std::end(kEnds), word);
  if (found == std::end(kEnds)) return std::nullopt;
  return static_cast<EndedBy>(found - std::begin(kEnds));
}

}  // namespace fxcut
