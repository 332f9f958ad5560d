// Fingerprints that tell whether two graphs are equal for a partition, and if not, how they differ: a hash for each
// aspect of the graph. Two graphs with equal fingerprints have the same partition under the same settings, byte for
// byte; two different graphs have equal ones by chance once in about 2^64 pairs.
//
// Aspects, node by node in their order:
//   calls   kind of node, facts of the operator, arguments with their inputs by position, subgraphs, the number of forward
//           outputs
//   names   the names of the nodes
//   values  dtypes, sizes and their expressions, strides, devices, shared memory, and the symbols
//   marks   recompute tags, regions, hooks, budgets, offload marks, static inputs, run times; modules and checkpoint names,
//           which policies match
// Not included: the graph's own name and producer, source lines, and keys unknown to fxcut.
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

// Adds a node without its name, its value and its inputs: its operator and constants, and the positions of its inputs.
class Hash128;
void add_call(Hash128& hash, const Node& node);

// The fingerprint of a graph as read.
GraphFingerprint fingerprint_of(const JointGraph& joint);

// The aspects in which two differ, human-readable: "operators and their arguments", "sizes, dtypes and memory".
std::vector<std::string_view> differing_aspects(const GraphFingerprint& a, const GraphFingerprint& b);

}  // namespace fxcut
