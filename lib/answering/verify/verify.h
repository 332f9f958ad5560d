// Verifies that a forward and a backward compute the same values as a joint graph, from the three graphs alone and
// independently of the code that makes partitions.
//
// All three run on terms (verify/evaluator.h): the joint graph on its placeholders, the forward on those of the same
// names, the backward on the values that the forward passes and on tangents. Then each output of the two has to be the
// joint graph's term, which means the same expression over the same inputs, and effects and random draws have to be the
// joint graph's (compare_effects, verify/draws.h). A side's description of a value has to equal the joint graph's
// (verify/described_value.h). The time is linear in the graphs, except for the sorting of names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"
#include "verify/mismatch.h"
#include "verify/rounded_values.h"

namespace fxcut {

struct Verification {
  std::vector<Mismatch> mismatches;
  std::size_t outputs = 0;  // of the forward's own that were compared
  std::size_t gradients = 0;
  std::size_t crossing = 0;  // values passed from the forward to the backward
  std::size_t figures = 0;   // of the report
  std::vector<RoundedValue> rounded = {};  // what the backward has but for its rounding
};

// `forward` and `backward` are from read_any_graph. With a report (format "fxcut-report") its rows show which values
// cross, and its figures have to be correct too (verify/figures.h). Without one (null) names decide: as in PyTorch, a
// placeholder of the backward has the name of the node that the forward returns for it, and is at the position where
// PyTorch's runtime passes it (check_positions). Naming operators and barriers are those of the report's settings, or the
// defaults.
Verification verify(const JointGraph& joint, const JointGraph& forward, const JointGraph& backward,
                    const ReportJson* report = nullptr);

// The same for a whole step and its rewritten form, both read as steps: each output and each effect of the one is that of the
// other, whatever runs twice on the way. All outputs count as the forward's. The figures of memory in the report, if one is
// given, are those of the rewritten step.
Verification verify_step(const JointGraph& step, const JointGraph& rewritten, const ReportJson* report = nullptr);

// One line for each mismatch, or one line with the number of verified values, and one with that of the rounded ones.
std::string verification_text(const Verification& verification);

// One object, schemas/verification.schema.json.
std::string verification_json(const Verification& verification);

// The joint graph with the body of each region in place of its call, level by level, under the names of the report: the body's
// name if it is free, otherwise with a number (torch.fx's namespaces). Throws Failure (NoPartition) if a call does not fit its
// body: such a graph has no report.
JointGraph expand_regions(JointGraph joint);

}  // namespace fxcut
