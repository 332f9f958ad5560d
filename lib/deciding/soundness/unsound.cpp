#include "soundness/unsound.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"

namespace fxcut {

std::string_view name_of(Fault fault) {
  switch (fault) {
    case Fault::Overwritten: return "overwritten";
    case Fault::WriteMissed: return "write_missed";
    case Fault::DrawnAgain: return "drawn_again";
    case Fault::Merged: return "merged";
    case Fault::EffectLost: return "effect_lost";
    case Fault::EffectAgain: return "effect_again";
    case Fault::OtherValue: return "other_value";
  }
  throw InternalError("a fault without a name");
}

std::string describe(const Graph& joint, const Unsound& unsound) {
  const std::string& node = joint[unsound.node].name;
  const auto reads = [&] {
    if (unsound.operand) return fmt::format("'{}' reads '{}'", node, joint[*unsound.operand].name);
    return fmt::format("'{}' is {}", node, joint[unsound.node].is_placeholder() ? "left" : "returned");
  };
  const std::string write = unsound.write ? joint[*unsound.write].name : "";
  switch (unsound.fault) {
    case Fault::Overwritten: return fmt::format("{} after '{}' has written to it", reads(), write);
    case Fault::WriteMissed: return fmt::format("{} without what '{}' has written to it", reads(), write);
    case Fault::DrawnAgain: return fmt::format("'{}' draws new random numbers in the backward", node);
    case Fault::Merged: return fmt::format("'{}' was merged with equal calls whose results differ", node);
    case Fault::EffectLost: return fmt::format("neither side runs '{}'", node);
    case Fault::EffectAgain: return fmt::format("'{}' repeats its effect in the backward", node);
    case Fault::OtherValue: return fmt::format("another value is returned for '{}'", node);
  }
  throw InternalError("a fault without a description");
}

}  // namespace fxcut
