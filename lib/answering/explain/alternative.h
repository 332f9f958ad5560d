// The changes if a value is decided otherwise: everything is decided a second time, and the result is compared with the original
// decision.
#pragma once

#include <memory>

#include "explain/explanation.h"
#include "partition/partition.h"

namespace fxcut {

// A joint graph and everything that its decision depends on, by reference.
struct ExplainContext {
  const JointGraph& joint;
  const Settings& settings;
  const PolicyStack& policies;
  const std::function<HaltRequested()>& start_clock;  // called once for each decision
  std::shared_ptr<const Decision> decision = {};      // that of the graph, if it is made already
  const Settings& asked =
      settings;  // of which `settings` are the basis (partition/peak_search.h): alternatives are decided by them
};

std::shared_ptr<const Decision> decision_of(const ExplainContext& context);

// The change under a recompute tag that overrides everything else. `original` is the report on the decision without the tag.
Alternative find_alternative(const ExplainContext& context, const Report& original, ForcedTag forced);

// The change under these policies in place of the context's, as `fxcut partition --policy` decides: refused also where policies
// contradict each other.
Alternative find_alternative(const ExplainContext& context, const Report& original, const PolicyStack& policies);

// The same in less time, with only the changes of saved_bytes_not_static, recomputed_flops, recomputed_ms and step_ms.
Alternative weigh_alternative(const ExplainContext& context, const DecisionEffect& original, const PolicyStack& policies);

}  // namespace fxcut
