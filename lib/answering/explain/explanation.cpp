#include "explain/explanation.h"

#include <limits>

namespace fxcut {
namespace {

struct OutcomeRow {
  std::string_view name, phrase;
};

// By NodeOutcome.
constexpr OutcomeRow kOutcomes[] = {
    {"saved", "saved for the backward"},
    {"recomputed", "recomputed in the backward"},
    {"on_both_sides", "on both sides"},
    {"forward_only", "neither saved nor recomputed: in the forward only"},
    {"backward_only", "neither saved nor recomputed: in the backward only"},
    {"on_neither_side", "neither saved nor recomputed: on neither side"},
    {"merged", "merged into an equal node"},
    {"dead", "dropped as dead code"},
    {"inlined", "replaced by the body of its checkpointed region"},
    {"result", "the output of the step"},
};

}  // namespace

std::string_view name_of(NodeOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)].name; }

std::string_view phrase_for(NodeOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)].phrase; }

std::int64_t Candidate::freed_bytes() const { return -alternative.saved_bytes_not_static_change; }

double Candidate::freed_per_ms() const {
  const double ms = alternative.recomputed_ms_change;
  return ms > 0 ? static_cast<double>(freed_bytes()) / ms : std::numeric_limits<double>::infinity();
}

}  // namespace fxcut
