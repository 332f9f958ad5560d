#include "solve/search_end.h"

#include <cstddef>

namespace fxcut {
namespace {

constexpr std::string_view kEnds[] = {"proof", "exhausted", "gap", "stagnation", "steps", "parts", "time", "interrupt"};

}  // namespace

std::string_view word_for(EndedBy end) { return kEnds[static_cast<std::size_t>(end)]; }

}  // namespace fxcut
