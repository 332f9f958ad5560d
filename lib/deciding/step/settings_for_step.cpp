#include "step/settings_for_step.h"

#include <variant>

#include "diagnostic/diagnostic.h"
#include "step/rematerialize_by_tags.h"

namespace fxcut {
namespace {

bool limits_memory(const Settings& settings) {
  return settings.saved_bytes_limit || settings.peak_bytes_limit || settings.activation_memory_budget != 1;
}

}  // namespace

Settings settings_for(const JointGraph& joint, Settings given) {
  const bool by_tags = given.partitioner == Partitioner::Tags;
  if (!joint.step) {
    if (by_tags) {
      throw Failure(ExitStatus::Usage, "the partitioner 'tags' decides on whole steps, and this is a joint graph",
                    "expected min_cut or default");
    }
    return given;
  }
  if (by_tags) {
    const auto outcome = rematerialize_by_tags(joint.step->graph);
    if (const auto* refused = std::get_if<Failure>(&outcome)) throw *refused;
  }
  if (!given.chooses_partitioner && !limits_memory(given)) given.partitioner = Partitioner::Default;
  if (given.partitioner == Partitioner::MinCut && given.sound == Soundness::Own) given.sound = Soundness::Always;
  given.graphsafe_rng_functionalization = false;
  return given;
}

}  // namespace fxcut
