// The network. Each node of the forward is an edge from its in- to its out-vertex; cutting it means saving the value,
// so its capacity is the cost of saving. All other edges are infinite:
//
//     source -> x_in     x must not be recomputed: its operator stays on the source's side
//     x_out  -> y_in     y uses x: if y is computed, x is available
//     x_in   -> sink     the backward computes x: only it can, or a checkpoint policy demands it
//     x_out  -> sink     the backward returns x
//
// A node whose in-vertex is on the sink's side is (re)computed in the backward; one whose edge is cut is saved.
#pragma once

#include "cost/analysis.h"
#include "solve/flow_network.h"
#include "solve/saved_values.h"

namespace fxcut {

inline Vertex in_vertex(NodeId id) { return static_cast<Vertex>(2 * index_of(id)); }
inline Vertex out_vertex(NodeId id) { return in_vertex(id) + 1; }
// The node of a vertex that is neither source nor sink.
inline NodeId node_of(Vertex vertex) { return node_id(vertex / 2); }

// The network for these bans, costs and reasons.
FlowNetwork saving_network(const Analysis& analysis, const NodeFacts& nodes);

}  // namespace fxcut
