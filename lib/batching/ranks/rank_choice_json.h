// A rank's choice as text, for the way from the process that made it.
#pragma once

#include <string>
#include <string_view>

#include "ranks/common_decision.h"

namespace fxcut {

// One for the other: rank_choice_in(rank_choice_json(choice)) is `choice`.
std::string rank_choice_json(const RankChoice& choice);
RankChoice rank_choice_in(std::string_view text);

}  // namespace fxcut
