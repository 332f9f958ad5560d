// The values that the backward has rounded.
#pragma once

#include <string>
#include <vector>

#include "verify/crossing.h"
#include "verify/evaluator.h"
#include "verify/mismatch.h"

namespace fxcut {

// A value of the joint graph that the backward has after it was in fewer bits.
struct RoundedValue {
  std::string name;
  std::string dtype;  // in which it was
};

// The values that the backward has restored, each once, in its order. With a report (null without one) adds a mismatch for each
// that does not cross compressed to that dtype by the report.
std::vector<RoundedValue> rounded_values(const EvaluationContext& context, const ReportJson* report,
                                         std::vector<Mismatch>& mismatches);

}  // namespace fxcut
