#include "cli/policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "policy/jax_policies.h"
#include "text/comma_list.h"

namespace fxcut {
namespace {

std::vector<std::string> split(const std::string& list, const std::string& option) {
  std::vector<std::string> names = split_at_commas(list);
  if (std::find(names.begin(), names.end(), "") == names.end()) return names;
  throw Failure(ExitStatus::Usage, fmt::format("{} '{}': expected names, found an empty one", option, list),
                "separate names by single commas");
}

}  // namespace

Policy policy_on_names(const std::string& option, const std::string& names, CheckpointPolicy checkpoint_policy) {
  RuleList list;
  for (std::string& name : split(names, option)) {
    PolicyRule rule;
    rule.match.name = Pattern::glob(std::move(name));
    rule.policy = checkpoint_policy;
    list.rules.push_back(std::move(rule));
  }
  return {option, std::move(list)};
}

Policy jax_policy(const std::string& text) {
  const std::size_t colon = text.find(':');
  JaxPolicy policy;
  policy.kind = text.substr(0, colon);
  if (colon != std::string::npos) {
    const std::string list = text.substr(colon + 1);
    const std::size_t slash = list.find('/');
    if (slash == std::string::npos) {
      policy.names = split(list, "--jax-policy");
    } else {
      policy.save = split(list.substr(0, slash), "--jax-policy");
      policy.offload = split(list.substr(slash + 1), "--jax-policy");
    }
  }
  if (const auto mistake = mistake_in(policy)) {
    throw Failure(ExitStatus::Usage, fmt::format("--jax-policy: {}", *mistake));
  }
  return {describe(policy), policy};
}

}  // namespace fxcut
