// Whether a forward and a backward compute what a joint graph computes, found out from the three graphs alone: nothing
// here knows how a partition is made.
//
// All three run on terms (verify/evaluator.h). The joint graph runs on its placeholders; the forward on those of the
// same names; the backward on what the forward hands over, and on tangents. Then each output of the two has to be the
// same term as the joint graph's, that is the same expression over the same inputs, and effects and random draws have
// to be the joint graph's (verify/effects.h, verify/draws.h). All of it takes time linear in the graphs, but for the
// sorting of names.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"
#include "verify/mismatch.h"

namespace fxcut {

struct Verification {
  std::vector<Mismatch> mismatches;  // empty where all holds
  std::size_t outputs = 0;           // of the forward's own that were compared
  std::size_t gradients = 0;
  std::size_t crossing = 0;  // values from the forward to the backward
  std::size_t figures = 0;   // of the report
};

// `forward` and `backward` are read_any_graph's. What crosses goes by the report where there is one (format
// "fxcut-report", not null), and then its figures have to be true as well (verify/figures.h); else by names: a
// placeholder of the backward bears the name of the node that the forward returns for it, as in PyTorch, and stands
// where PyTorch's runtime hands that over (verify/positions.h). Operators that name values, and barriers, are those of
// the report's settings, or else the defaults.
Verification verify(const JointGraph& joint, const JointGraph& forward, const JointGraph& backward,
                    const ReportJson* report = nullptr);

}  // namespace fxcut
