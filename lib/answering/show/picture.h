// What a picture of a graph shows: boxes, which are nodes or whole modules, and the values that go from one to another.
//
// A graph with more nodes than there may be boxes is folded first (fold.h). Then modules are opened, the largest first,
// as long as what is in them still fits. A module that stays closed is one box. Where an open one has too many nodes or
// modules, several in a row are one box.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/wide.h"
#include "show/fold.h"
#include "show/graph_modules.h"
#include "show/node_states.h"

namespace fxcut {

struct Box {
  enum class Kind { Node, Nodes, Module, Modules, Inputs, Outputs, Gradients };

  Kind kind = Kind::Node;
  std::uint32_t module = 0;  // that it stands for, or the first of them; of other kinds the one that it stands in
  std::size_t modules = 0;   // Kind::Modules: how many it stands for
  NodeId node{0};            // Kind::Node
  std::vector<NodeId> some_nodes;  // Kind::Nodes: the first of them
  DrawnNode shown;
  std::size_t nodes = 0;     // that it stands for, those of folded layers included; the graph's inputs left out
  std::size_t inputs = 0;    // of the graph
  std::array<std::size_t, 6> by_state{};  // how many of both, by NodeState
  Wide saved_bytes = 0;           // of the values of these that are saved, offloaded ones included
  Wide offloaded_bytes = 0;
};

struct Arrow {
  std::size_t from = 0, to = 0;  // positions among the boxes
  std::size_t values = 0;        // how often a value is taken
  // From the forward to the backward: what becomes of the values, Saved where of any. Unused on one side.
  NodeState crossing = NodeState::Unused;
  bool to_next_layer = false;  // to what stands before it: the next of folded layers
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
  std::string module;  // the path of one that is shown open and unfolded; empty for none
};

// Throws Failure (Usage) where no node is of that module.
Picture plan_picture(const JointGraph& joint, GraphForm form, const std::vector<DrawnNode>& shown,
                     const PictureLimits& limits);

}  // namespace fxcut
