// Random joint graphs, in the notation of the tests.
#pragma once

#include <cstdint>
#include <string>

namespace fxcut {

struct JointGraphShape {
  int primals = 4;
  int forward_calls = 30;
  int backward_calls = 40;
};

// A joint graph of square matrices: primals, some of them static; pointwise, product, view and reduction operators; a
// backward that takes tangents and values of the forward at random; several outputs on either side. Some forward nodes
// bear recompute tags. The same seed gives the same graph.
std::string random_joint_graph(std::uint32_t seed, const JointGraphShape& shape);

}  // namespace fxcut
