#include "check/value_pattern.h"

#include <array>
#include <utility>

namespace fxcut {

std::optional<ValuePattern> ValuePattern::parse(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, Of>, 3> kKinds = {
      {{"op:", Of::Operator}, {"name:", Of::Name}, {"module:", Of::Module}}};
  std::string_view glob = text;
  Of of = Of::Any;
  for (const auto& [prefix, kind] : kKinds) {
    if (!text.starts_with(prefix)) continue;
    glob.remove_prefix(prefix.size());
    of = kind;
  }
  if (glob.empty()) return std::nullopt;
  return ValuePattern(std::string(text), of, Pattern::glob(std::string(glob)));
}

bool ValuePattern::matches_name(std::string_view name) const {
  return (of_ == Of::Any || of_ == Of::Name) && !name.empty() && glob_.matches(name);
}

bool ValuePattern::matches(std::string_view name, std::string_view op, const Provenance& provenance) const {
  if (of_ == Of::Module) return !provenance.module.empty() && glob_.matches_path(provenance.module);
  const bool is_operator = (of_ == Of::Any || of_ == Of::Operator) && glob_.matches(op);
  return is_operator || matches_name(name) || matches_name(provenance.checkpoint_name);
}

}  // namespace fxcut
