// The matrix products that a call runs, by their sides.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// `batches` times [rows, inner] x [inner, columns]; real numbers, since sizes in a file may overflow integers.
struct Product {
  double batches = 1, rows = 0, inner = 0, columns = 0;
  friend bool operator==(const Product&, const Product&) = default;
};

// One for mm, bmm and their variants that add. A convolution is the implicit product of its windows with the weight (Chetlur et
// al., cuDNN, 2014); its backward has one for each requested gradient. None for other calls, for transposed and grouped
// convolutions, and if sizes do not fit. Symbolic sizes count as their hints.
std::vector<Product> products_of(const Graph& graph, const Node& call);

}  // namespace fxcut
