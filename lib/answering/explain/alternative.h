// What would change if a value were forced into the other decision: the whole decision made again under a recompute tag that
// nothing overrides, and compared with the one made.
#pragma once

#include "explain/explanation.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// A joint graph and all that its decision depends on. Everything is kept by reference.
struct Question {
  const JointGraph& joint;
  const Settings& settings;
  const PolicyStack& policies;
  const std::function<HaltRequested()>& start_clock;  // for each decision
};

// `made` is the report on the decision as it is made.
Alternative find_alternative(const Question& question, const Report& made, const ForcedTag& forced);

}  // namespace fxcut
