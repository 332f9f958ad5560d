// What of a partition would compute something else than the joint graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

enum class Fault : std::uint8_t {
  Overwritten,  // it reads memory that somebody has written to since it was read in the joint graph
  WriteMissed,  // it reads memory that lacks what had been written there in the joint graph
  DrawnAgain,   // the backward draws again, and other numbers than the forward
  Merged,       // equal calls were made one, though they draw numbers or somebody writes to their memory
  EffectLost,   // a call that checks or records something runs on no side
  OtherValue,   // a side returns another value in its place
};

struct Unsound {
  NodeId node;  // of the joint graph that was decided on
  Fault fault;
  std::optional<NodeId> operand = std::nullopt;  // what it reads, where that is what is wrong
  std::optional<NodeId> write = std::nullopt;    // the call that has written, or whose writing is missed
};

// A word for it ("overwritten").
std::string_view name_of(Fault fault);

// What is wrong, in a sentence without its full stop: "'sin' reads 'x' after 'copy_' has written to it".
std::string describe(const Graph& joint, const Unsound& unsound);

}  // namespace fxcut
