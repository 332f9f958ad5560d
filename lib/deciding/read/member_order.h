// Whether a file keeps the order of members.
//
// Keywords and dictionaries have an order in Python, which counts in PyTorch's merging of equal calls; members of a JSON object
// have none, and some tools shuffle them. If two nodes of a file have their own members in different orders, keywords of equal
// calls may be, too: that file's order means nothing, and the order of names replaces it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graph/graph.h"

namespace fxcut {

class MemberOrder {
 public:
  static constexpr std::size_t kMembers = 8;  // of a node

  // Begins a node.
  void begin() { seen_ = 0; }
  // Its next member, below kMembers.
  void add(std::size_t member);
  // Whether no two members were in both orders.
  bool is_kept() const;

 private:
  std::uint8_t seen_ = 0;  // of the node, as bits
  std::array<std::uint8_t, kMembers> before_ = {};  // by member, those that came before it in some node
};

// Puts the keywords and dictionaries of all calls in the order of their names, and the calls' inputs in the order of those.
void order_by_name(Graph& graph, Subgraphs& subgraphs);

}  // namespace fxcut
