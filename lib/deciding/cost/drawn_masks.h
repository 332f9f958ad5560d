// Booleans compared from random numbers, as dropouts compute their masks.
//
// A CPU kernel of inductor branches on each Boolean that it reads or stores (at::vec::VecMask in PyTorch's vec_mask.h). The
// processor mispredicts that branch about as often as the rarer of the two values comes, so a mask that drops a tenth is handled
// faster than a Boolean that is true half of the time. How rare it is, the comparison says: aten.gt.Scalar(rand, 0.1).
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

class DrawnMasks {
 public:
  // Those of the joint graph, or of one of the two. `forward`: the graph whose masks a backward's placeholders of the same names
  // are, or null; it is not kept.
  explicit DrawnMasks(const Graph& graph, const Graph* forward = nullptr);

  // For a mask, or a view of one: the share of the rarer value, from 0 to 0.5. Unset for all other values.
  std::optional<double> rarer_share(NodeId id) const { return shares_[index_of(id)]; }

 private:
  std::vector<std::optional<double>> shares_;  // by node
};

}  // namespace fxcut
