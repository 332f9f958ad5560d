// The decision as a minimum cut: for a price per byte, the choice of storages at which bytes and recomputation together
// cost least.
//
// An item whose in-vertex is on the sink's side is recomputed; one whose out-vertex is there is available in the backward.
//
//     source -> x_in    the cost of recomputing x; infinite if it must not be recomputed
//     x_in -> x_out     the price of its storage, and what keeping it costs: x is available, but not recomputed
//     y_out -> x_in     infinite: recomputing x needs its input y
//     x_out -> sink     infinite: x is needed in any case
//
// A cut chooses values, but memory is kept by storages. So only the roots of a storage can be saved; their views have one
// vertex, which costs nothing. That is exact if the storage is kept, and too cheap if the root is recomputed, and the views
// with it: a view w costs the product of "w is available" and "its root o is recomputed", which is no less than
//
//     [w available] + [o recomputed] - [o available]          (the first two both imply the third)
//
// a sum of costs of single vertices. It is exact if o is recomputed, so it is used for the views that the last cut
// recomputed; 0, exact if the storage is kept, is used for the others (`adapt`). If both agree with the resulting cut, the cut
// is the optimum; otherwise it is still a lower bound.
//
// Items that the forward does not run in any case run at least once, in the forward or the backward, so running twice costs
// [in the backward] + [in the forward] - 1: a third vertex x_f is on the source's side if the forward runs x.
#pragma once

#include <vector>

#include "frontier/evaluate.h"
#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"
#include "solve/flow_network.h"

namespace fxcut {

// The price of bytes: a run cost for a number of bytes.
struct Price {
  Int128 run_cost = 0;
  Int128 bytes = 1;

  // The sum of both costs, in a unit in which both are integers.
  Int128 of(Int128 run, Int128 saved_bytes) const { return bytes * run + run_cost * saved_bytes; }
  double per_byte() const { return static_cast<double>(run_cost) / static_cast<double>(bytes); }
};

// The price at which two points cost the same. `smaller` has fewer bytes and more recomputation than `larger`.
Price price_between(Int128 smaller_bytes, Int128 smaller_cost, Int128 larger_bytes, Int128 larger_cost);

class Relaxation {
 public:
  // `charged`: by item, the views to charge as recomputed; may be empty.
  Relaxation(const RecomputeProblem& problem, FixedState state, std::vector<char> charged = {});

  const FixedState& state() const { return state_; }
  const std::vector<char>& charged() const { return charged_; }
  std::size_t vertices() const { return vertices_; }
  std::size_t num_edges() const { return edges_.size(); }

  // A lower bound of the cost of every choice within the fixings at this price, and the storages that attain it.
  struct Cut {
    Int128 value = 0;  // Price::of its run cost and bytes
    KeptStorages kept;
  };
  Cut cut(const Price& price) const;

  // The network at this price, and the costs outside it.
  FlowNetwork network(const Price& price) const;
  Int128 constant(const Price& price) const { return price.of(constant_run_, constant_bytes()); }

  // The storages that the cut with this sink side keeps.
  KeptStorages kept_by(const std::vector<bool>& on_sink_side) const;

  // The additional bytes that a cut keeps with the vertex on the sink's side, not counting constant_bytes.
  std::int64_t bytes_of(Vertex vertex) const { return bytes_of_[vertex]; }
  std::int64_t constant_bytes() const { return state_.kept_bytes; }

  // Charges the views that `evaluation`, of the storages that the last cut keeps, recomputes. Returns whether that changes
  // anything.
  bool adapt(const Evaluation& evaluation);

 private:
  struct Edge {
    Vertex from, to;
    Int128 run = 0;  // its capacity: run cost, and bytes at the price
    Int128 bytes = 0;
    bool infinite = false;
  };
  class Builder;
  void build();

  const RecomputeProblem& problem_;
  FixedState state_;
  std::vector<char> charged_;                 // by item: a view whose recomputation is charged as above
  std::vector<ItemIndex> root_of_;            // by storage
  std::vector<Edge> edges_;
  std::vector<std::int64_t> bytes_of_;        // by vertex
  std::vector<std::pair<Vertex, Vertex>> ends_;  // of each item's saving edge; both kSource where it has none
  std::size_t vertices_ = 2;
  Int128 constant_run_ = 0;
};

}  // namespace fxcut
