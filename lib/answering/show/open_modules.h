// The modules that a picture shows open.
#pragma once

#include <vector>

#include "show/fold_layers.h"
#include "show/graph_modules.h"

namespace fxcut {

// More inputs of the graph than this in one module share a box.
inline constexpr std::size_t kMaxInputBoxes = 3;

// The most boxes for the nodes of one module, if the graph has more nodes than the picture may have boxes.
inline constexpr std::size_t kMaxNodeBoxes = 16;
// The same for the module of the option --module.
inline constexpr std::size_t kMaxRequestedBoxes = 200;

// The most boxes for the modules within one; more than these share boxes, and stay closed.
inline constexpr std::size_t kMaxModuleBoxes = 40;

// The number of modules within one that are not folded into another.
std::size_t modules_within(const GraphModules& tree, const Folding& folding, std::uint32_t module);

// The numbers of boxes for a module's own nodes: calls, at most `most_calls`, and inputs.
struct OwnBoxes {
  std::size_t calls = 0;
  std::size_t inputs = 0;
};
OwnBoxes own_boxes(const Graph& graph, const std::vector<NodeId>& nodes, std::size_t most_calls);

struct OpeningLimits {
  std::size_t most_boxes = 0;
  const std::vector<std::size_t>& most_own;  // by module: boxes for its own calls
  const std::vector<bool>& opened;           // by module: whether it must be open
};

// For each module: whether it is open, so that about most_boxes boxes are shown. The two sides always are.
std::vector<bool> open_modules(const Graph& graph, const GraphModules& tree, const Folding& folding,
                               const OpeningLimits& limits);

}  // namespace fxcut
