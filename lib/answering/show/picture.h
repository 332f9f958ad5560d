// The contents of a picture of a graph: boxes, which are nodes or whole modules, and the values passed between them.
//
// A graph with more nodes than the picture may have boxes is folded first (fold_layers.h). Then modules are opened, the largest
// first, as long as their contents fit. A closed module is one box. In an open one with too many nodes or modules, several
// in a row share a box.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/int128.h"
#include "show/fold_layers.h"
#include "show/graph_modules.h"
#include "show/node_states.h"

namespace fxcut {

struct Box {
  enum class Kind { Node, Nodes, Module, Modules, Inputs, Outputs, Gradients };

  Kind kind = Kind::Node;
  std::uint32_t module = 0;  // that it represents, or the first of them; for other kinds the one that contains it
  std::size_t modules = 0;   // Kind::Modules: their number
  NodeId node{0};            // Kind::Node
  std::vector<NodeId> some_nodes;  // Kind::Nodes: the first of them
  DrawnNode shown;
  std::size_t nodes = 0;     // their number, with those of folded layers, without the graph's inputs
  std::size_t inputs = 0;    // the number of the graph's inputs
  std::array<std::size_t, 7> by_state{};  // the number of both, by NodeState
  Int128 saved_bytes = 0;                 // of the saved values among these, however they are saved
  Int128 held_bytes = 0;                  // of their storages, each counted once, parameters not at all
  Int128 offloaded_bytes = 0;
  Int128 compressed_bytes = 0, form_bytes = 0;  // of values saved in fewer bits, and as they cross
};

struct Arrow {
  std::size_t from = 0, to = 0;  // positions among the boxes
  std::size_t values = 0;        // the number of uses
  // From the forward to the backward: the state of the values, Saved if any is. Unused within one side.
  NodeState crossing = NodeState::Unused;
  bool to_next_layer = false;  // to an earlier node: the next of folded layers
};

struct Picture {
  std::vector<Box> boxes;      // in the order of their first nodes
  std::vector<Arrow> arrows;
  GraphModules tree;
  std::vector<bool> is_open;   // by module
  Folding folding;
};

inline constexpr std::size_t kUsualBoxes = 100;

struct PictureLimits {
  std::size_t most_boxes = kUsualBoxes;
  std::string module;  // the path of a module that is shown open and unfolded, or empty
};

// Throws Failure (Usage) if no node is in that module.
Picture plan_picture(const JointGraph& joint, GraphForm form, const std::vector<DrawnNode>& shown, const PictureLimits& limits);

}  // namespace fxcut
