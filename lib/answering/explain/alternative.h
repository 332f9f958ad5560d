// What changes if a value is forced into the other decision: everything is decided a second time, under a recompute tag that
// overrides all else, and the result is compared with the original decision.
#pragma once

#include "explain/explanation.h"
#include "pipeline/pipeline.h"

namespace fxcut {

// A joint graph and everything that its decision depends on, by reference.
struct ExplainContext {
  const JointGraph& joint;
  const Settings& settings;
  const PolicyStack& policies;
  const std::function<HaltRequested()>& start_clock;  // called once for each decision
};

// `original` is the report on the decision without the tag.
Alternative find_alternative(const ExplainContext& context, const Report& original, ForcedTag forced);

}  // namespace fxcut
