#include "policy/rule_verdicts.h"

#include <fmt/format.h>

namespace fxcut {

const std::string& rule_of(const Verdict& verdict, const std::vector<PolicySource>& sources) {
  return sources[verdict.source].rules[verdict.rule];
}

std::string describe(const Verdict& verdict, const std::vector<PolicySource>& sources) {
  return fmt::format("{} of '{}' ({})", name_of(verdict.checkpoint_policy), sources[verdict.source].policy,
                     rule_of(verdict, sources));
}

}  // namespace fxcut
