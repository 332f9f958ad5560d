// Random joint graphs, in the notation of the tests.
#pragma once

#include <cstdint>
#include <string>

#include "release/release.h"

namespace fxcut {

struct JointGraphShape {
  int primals = 4;
  int forward_calls = 30;
  int backward_calls = 40;
  Release release = kNewestRelease;  // that made the graph
};

// A joint graph of square matrices: primals, some of them static; pointwise, product, view and reduction operators, and
// items of tuples; a backward that takes tangents and values of the forward at random; several outputs on either side.
// Some forward nodes bear recompute tags, in regions or outside of them, and some are to be offloaded; some run times
// are measured. The same seed gives the same graph.
std::string random_joint_graph(std::uint32_t seed, const JointGraphShape& shape);

}  // namespace fxcut
