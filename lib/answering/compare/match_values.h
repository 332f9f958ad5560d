// The same value in two reports, or two graphs, whose nodes may be numbered differently.
//
// Names say little: a layer more in front, and mm_4 is mm_6. So values are matched by what they are, in rounds that ask
// for less and less, each over what is still without a partner:
//
//   operator, extent, module, source line, checkpoint name    the same place of the same model
//   operator, extent, module, checkpoint name                 lines have moved
//   operator, module, source line, checkpoint name            another size: it grew, or shrank
//   operator, name                                            another size, where the model's places are not known
//   operator, extent                                          of modules that only one side has: they were renamed
//
// Within a round those of one name go together first, and then the others in their order. So two values that agree in
// operator, extent and place never show as one that went and one that came.
#pragma once

#include <vector>

#include "compare/compared_value.h"
#include "compare/matching.h"

namespace fxcut {

// Adds to `matching` what is the same in both lists, but for what lies in modules that were renamed.
void match_places(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after,
                  Matching& matching);

// All of it. The lists have to hold all that is known of both sides: a module that is in none of them is not there.
void match_values(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after,
                  Matching& matching);

// The same where both are of the same graph, so that names say all.
void match_names(const std::vector<ComparedValue>& before, const std::vector<ComparedValue>& after,
                 Matching& matching);

}  // namespace fxcut
