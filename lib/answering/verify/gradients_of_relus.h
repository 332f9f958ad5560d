// Gradients of ReLUs that use booleans: where the value is at most 0 the gradient is 0, whether threshold_backward looks at the
// value or where() at the result of that comparison (PyTorch's decomposition of threshold_backward; a NaN lets the gradient pass
// in both). The value may be detached in between.
#pragma once

#include <unordered_map>

#include "graph/graph.h"
#include "verify/terms.h"

namespace fxcut {

class GradientsOfRelus {
 public:
  // Keeps the term if it is threshold_backward's with the threshold 0. Of several that are the same gradient the first is kept.
  void note(Terms& terms, Term of_joint);

  // The term that was kept, if the given one is the same gradient by where(); otherwise the given one.
  Term in_joint(Terms& terms, Term of_side) const;

 private:
  std::unordered_map<Term, Term> by_content_;
};

// The graph, and its whole step, with a call for each such comparison, y_le of y, whether or not a partition has it. None is
// used: they only have the names and descriptions by which a report knows them.
JointGraph with_signs_of_relus(JointGraph joint);

}  // namespace fxcut
