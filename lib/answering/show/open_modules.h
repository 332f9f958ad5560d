// Which modules a picture shows open.
#pragma once

#include <vector>

#include "show/fold.h"
#include "show/graph_modules.h"

namespace fxcut {

// Inputs of the graph within one module: more than so many are one box.
inline constexpr std::size_t kMostInputBoxes = 3;

// Of the nodes of one module so many boxes are made at most, where the graph has more nodes than there may be boxes.
inline constexpr std::size_t kMostNodeBoxes = 16;
// And of a module that was asked for.
inline constexpr std::size_t kMostAskedBoxes = 200;

// Of the modules within one so many boxes are made at most; more are several to a box, and stay closed.
inline constexpr std::size_t kMostModuleBoxes = 40;

// The modules within one that no other stands for.
std::size_t modules_within(const GraphModules& tree, const Folding& folding, std::uint32_t module);

// How many boxes a module's own nodes make: calls, `most_calls` at most, and inputs.
struct OwnBoxes {
  std::size_t calls = 0;
  std::size_t inputs = 0;
};
OwnBoxes own_boxes(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t most_calls);

struct OpeningLimits {
  std::size_t most_boxes = 0;
  const std::vector<std::size_t>& most_own;  // by module: of its own calls
  const std::vector<bool>& opened;           // by module: those to open in any case
};

// By module: whether it is shown open, so that about so many boxes are shown. The two sides always are.
std::vector<bool> open_modules(const Graph& graph, const GraphModules& tree, const Folding& folding,
                               const OpeningLimits& limits);

}  // namespace fxcut
