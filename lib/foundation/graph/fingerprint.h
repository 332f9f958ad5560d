// Whether two graphs are the same as far as a partition can tell, and if not, in what they differ: a hash for each
// aspect of the graph. Two graphs that agree in all of them get the same partition under the same settings, byte for
// byte; by chance two different ones agree once in 2^64 pairs or so.
//
// What covers what, node by node in their order:
//   calls   kind of node, operator and what is known of it, arguments and their wiring by position, subgraphs, how many
//           outputs are the forward's
//   names   the names of the nodes
//   values  dtypes, sizes and their expressions, strides, devices, which values share memory, and the symbols
//   marks   recompute tags, regions, hooks, budgets, offload marks, static inputs, run times; modules and checkpoint
//           names, by which policies choose
// Nothing covers the graph's own name and producer, source lines, and keys that fxcut does not know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct GraphFingerprint {
  std::size_t nodes = 0;
  // 128 bits each, as 32 hexadecimal digits.
  std::string calls, names, values, marks;

  bool operator==(const GraphFingerprint&) const = default;
};

// Adds what a node is apart from its name, its value and the nodes that it takes: its operator and constants, and at
// which places it takes nodes.
class Hash128;
void add_call(Hash128& hash, const Node& node);

// The fingerprint of a graph as it was read.
GraphFingerprint fingerprint_of(const JointGraph& joint);

// The aspects in which two differ, for people: "operators and their arguments", "sizes, dtypes and memory".
std::vector<std::string_view> differing_aspects(const GraphFingerprint& a, const GraphFingerprint& b);

}  // namespace fxcut
