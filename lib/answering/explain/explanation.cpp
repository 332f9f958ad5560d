#include "explain/explanation.h"

#include <limits>

#include "cost/size.h"

namespace fxcut {

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::Saved: return "saved";
    case Fate::Recomputed: return "recomputed";
    case Fate::OnBothSides: return "on_both_sides";
    case Fate::ForwardOnly: return "forward_only";
    case Fate::BackwardOnly: return "backward_only";
    case Fate::OnNeitherSide: return "on_neither_side";
    case Fate::Merged: return "merged";
    case Fate::Dead: return "dead";
    case Fate::Inlined: return "inlined";
    case Fate::Result: return "result";
  }
  return "";
}

std::string_view phrase_for(Fate fate) {
  switch (fate) {
    case Fate::Saved: return "saved for the backward";
    case Fate::Recomputed: return "recomputed in the backward";
    case Fate::OnBothSides: return "on both sides";
    case Fate::ForwardOnly: return "neither saved nor recomputed: in the forward only";
    case Fate::BackwardOnly: return "neither saved nor recomputed: in the backward only";
    case Fate::OnNeitherSide: return "neither saved nor recomputed: on neither side";
    case Fate::Merged: return "merged into an equal node";
    case Fate::Dead: return "dropped as dead code";
    case Fate::Inlined: return "replaced by the body of its checkpointed region";
    case Fate::Result: return "the output of the step";
  }
  return "";
}

ShownNode shown(const Node& node, const Settings& settings) {
  ShownNode told;
  told.name = node.name;
  told.op = operator_of(node);
  if (const auto& value = node.value ? node.value : node.tensor_meta; value && value->is_tensor()) {
    told.dtype = value->tensor.dtype->name;
    told.shape = value->tensor.shape;
  }
  told.size_bytes = find_size(node, settings).value_or(0);
  told.static_lifetime = node.meta.static_lifetime;
  if (node.provenance) told.provenance = *node.provenance;
  return told;
}

std::int64_t Candidate::freed_bytes() const { return -other_way.saved_bytes_not_static_change; }

double Candidate::freed_per_flop() const {
  const double flops = static_cast<double>(other_way.recomputed_flops_change);
  return flops > 0 ? static_cast<double>(freed_bytes()) / flops : std::numeric_limits<double>::infinity();
}

}  // namespace fxcut
