#include "verify/noticed.h"

#include <algorithm>
#include <iterator>

namespace fxcut {
namespace {

bool counts_anyway(const Effect& effect) { return effect.kind != EffectKind::Write || !effect.is_to_known_memory; }

}  // namespace

std::vector<bool> noticed_terms(const Terms& terms, std::vector<Term> seen, const std::vector<Effect>& effects) {
  for (const Effect& effect : effects) {
    if (counts_anyway(effect)) seen.push_back(effect.term);
  }
  return terms.contained_in(seen);
}

std::vector<Effect> noticed_effects(const std::vector<Effect>& effects, const std::vector<bool>& is_noticed) {
  std::vector<Effect> noticed;
  std::copy_if(effects.begin(), effects.end(), std::back_inserter(noticed), [&](const Effect& effect) {
    return counts_anyway(effect) || is_noticed[index_of(effect.term)];
  });
  return noticed;
}

}  // namespace fxcut
