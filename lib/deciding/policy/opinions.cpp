#include "policy/opinions.h"

#include <fmt/format.h>

namespace fxcut {

const std::string& rule_of(const Saying& saying, const std::vector<Speaker>& speakers) {
  return speakers[saying.speaker].rules[saying.rule];
}

std::string describe(const Saying& saying, const std::vector<Speaker>& speakers) {
  return fmt::format("{} of '{}' ({})", name_of(saying.says), speakers[saying.speaker].policy,
                     rule_of(saying, speakers));
}

}  // namespace fxcut
