// The matrix products that a call runs, by their sides.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// `batches` times [rows, inner] x [inner, columns]; real numbers, as no whole ones hold what a file may say.
struct Product {
  double batches = 1, rows = 0, inner = 0, columns = 0;
  friend bool operator==(const Product&, const Product&) = default;
};

// A product of mm, bmm and what adds to them. A convolution is the implicit product of its windows with the weight (Chetlur et
// al., cuDNN, 2014), its backward one for each gradient that is asked for. None for other calls, for transposed and grouped
// convolutions, and where sizes do not fit. Sizes by their hints.
std::vector<Product> products_of(const Graph& graph, const Node& call);

}  // namespace fxcut
