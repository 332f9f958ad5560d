// The faults of a partition: where it would compute other values than the joint graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

enum class Fault : std::uint8_t {
  Overwritten,  // it reads memory that has been written to since the joint graph read it
  WriteMissed,  // it reads memory that lacks a write of the joint graph
  DrawnAgain,   // the backward draws other random numbers than the forward
  Merged,       // equal calls were merged, though they draw numbers or their memory is written to
  EffectLost,   // a call that checks or records something runs on neither side
  EffectAgain,  // the backward repeats an effect that tokens order (with_effects)
  OtherValue,   // a side returns another value in its place
};

struct Unsound {
  NodeId node;  // of the joint graph that the decision is about
  Fault fault;
  std::optional<NodeId> operand = std::nullopt;  // the input that is read, if that is the fault
  std::optional<NodeId> write = std::nullopt;    // the call that wrote, or whose write is missing

  bool operator==(const Unsound&) const = default;
};

// Its name in JSON ("overwritten").
std::string_view name_of(Fault fault);

// The fault as a sentence without its full stop: "'sin' reads 'x' after 'copy_' has written to it".
std::string describe(const Graph& joint, const Unsound& unsound);

}  // namespace fxcut
