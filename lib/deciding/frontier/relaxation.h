// The decision as a minimum cut: for a price per byte, the choice of storages at which bytes and recomputation together
// cost least.
//
// An item whose in-vertex is on the sink's side is run again; one whose out-vertex is there is at hand in the backward.
//
//     source -> x_in    the cost of running x once more; infinite where it must not be
//     x_in -> x_out     the price of its storage: x is at hand, but not run again
//     y_out -> x_in     infinite: who runs x again has y, which x takes
//     x_out -> sink     infinite: x is needed for certain
//
// Such a cut knows of values, but memory is kept by storages. So only the roots of a storage can be saved; views of
// them have one vertex, which costs nothing: whoever has the root has them. That is right where the storage is kept,
// and too cheap where the root is run again, and the views with it. Of the two statements "w is at hand" and "the root
// o is run again" the product is what a view w costs, and the product is no less than
//
//     [w at hand] + [o run again] - [o at hand]          (the first two both imply the third)
//
// which are costs of single vertices. It is exact wherever o is run again; so it is used for the views that the last
// cut ran again, and 0 is used for the others, which is exact where the storage is kept (`adapt`). Where the two agree
// with the cut that they lead to, the cut is the optimum; otherwise it is a lower bound all the same.
//
// What the forward does not run in any case is run at least once, in the forward or in the backward, so that running it
// twice costs [in the backward] + [in the forward] - 1: a third vertex x_f, on the source's side if the forward runs
// it.
#pragma once

#include <vector>

#include "frontier/evaluate.h"
#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"
#include "solve/flow_network.h"

namespace fxcut {

// What a byte costs: so much run cost for so many bytes.
struct Price {
  Wide run_cost = 0;
  Wide bytes = 1;

  // What this much costs together, in a unit in which both are integers.
  Wide of(Wide run, Wide saved_bytes) const { return bytes * run + run_cost * saved_bytes; }
  double per_byte() const { return static_cast<double>(run_cost) / static_cast<double>(bytes); }
};

// The price at which two points cost the same. `smaller` takes fewer bytes and more recomputing than `larger`.
Price price_between(Wide smaller_bytes, Wide smaller_cost, Wide larger_bytes, Wide larger_cost);

class Relaxation {
 public:
  // `charged`: by item, the views to charge as if they were run again; may be empty.
  Relaxation(const RecomputeProblem& problem, FixedState state, std::vector<char> charged = {});

  const FixedState& state() const { return state_; }
  const std::vector<char>& charged() const { return charged_; }
  std::size_t vertices() const { return vertices_; }
  std::size_t num_edges() const { return edges_.size(); }

  // A lower bound of what every choice within the fixings costs at this price, and the storages that attain it.
  struct Cut {
    Wide value = 0;      // Price::of its run cost and bytes
    KeptStorages kept;
  };
  Cut cut(const Price& price) const;

  // The network at this price, and what its vertices and edges do not cover.
  FlowNetwork network(const Price& price) const;
  Wide constant(const Price& price) const { return price.of(constant_run_, constant_bytes()); }

  // The storages that the cut with this sink side keeps.
  KeptStorages kept_by(const std::vector<bool>& on_sink_side) const;

  // How many bytes more a cut keeps with the vertex on the sink's side than with it on the other; beyond
  // constant_bytes.
  std::int64_t bytes_of(Vertex vertex) const { return bytes_of_[vertex]; }
  std::int64_t constant_bytes() const { return state_.kept_bytes; }

  // Charges the views as they are run again in `evaluation`, the last of what this relaxation's cut keeps. Returns
  // whether that changes anything.
  bool adapt(const Evaluation& evaluation);

 private:
  struct Edge {
    Vertex from, to;
    Wide run = 0;    // its capacity: run cost, and bytes at the price
    Wide bytes = 0;
    bool infinite = false;
  };
  class Builder;

  void build();

  const RecomputeProblem& problem_;
  FixedState state_;
  std::vector<char> charged_;                 // by item: a view whose running again is charged as above
  std::vector<ItemIndex> root_of_;            // by storage
  std::vector<Edge> edges_;
  std::vector<std::int64_t> bytes_of_;        // by vertex
  std::vector<std::pair<Vertex, Vertex>> ends_;  // of each item's saving edge; both kSource where it has none
  std::size_t vertices_ = 2;
  Wide constant_run_ = 0;
};

}  // namespace fxcut
